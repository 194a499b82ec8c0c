import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type DocumentCode, extractCode } from '../support/documents.js';
import { repositoryRoot } from '../support/repository.js';

const seconds = 1_795_132_800;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0123456789AB';
const oldSecret = 'whsec_0ldSecretStillValid00123456789abcdefghijklmn';
const body = Buffer.from(
  '{"specversion":"1.0","id":"evt_test_1","type":"cart.order.completed","data":{"metadata":{"k":"é"}}}',
);
const hex = '4d84f0cc0a7cf05e0161700a058f7bd315312974325cf8a2f890b633142d66ab';
const oldHex = 'ffb8e28a67a099d888dd7c03a0ab64b7d83da7ed0d927d340830a0a34526d23d';
const base64 = 'yugBIPB3JAVY7TsUHc6Vchi/4svQkZSgsRojWkD+Jy4=';
const oldBase64 = '3P59s//r8iJTARPCCG6up2Kegav/nrSDhfiQqJWvG50=';

const publicKey = 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=';
const ed25519 =
  'cNunggVE8skPb2nv8M7pwsp80MsIe9jlooQXFQ1GiTV6EqIrKp/uIwMoYteFj+s7QyfMkTBekhzh6MJwsTJKDA==';
const otherKey = 'whpk_PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=';

type Headers = Record<string, string>;
type IsGenuine = (rawBody: Buffer, header: string | undefined, secret: string) => boolean;
type Verified = (rawBody: Buffer, headers: Headers, secret: string) => { id: string };
type CreateReceiver = (secret: string, store: (event: { id: string }) => Promise<void>) => Server;

const headers: Headers = {
  'x-service-signature': `t=${seconds},v1=${hex}`,
  'webhook-id': 'evt_test_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': `v1,${base64}`,
};
const duringRotation: Headers = {
  ...headers,
  'x-service-signature': `t=${seconds},v1=${hex},v1=${oldHex}`,
  'webhook-signature': `v1,${base64} v1,${oldBase64}`,
};
const changed = Buffer.from(body.toString().replace('é', 'e'));

// Debian's python3-cryptography belongs to Debian's Python, which may not be the first of the PATH.
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import cryptography']).status === 0,
);

/** Returns the block of docs/receiving.md with this name. */
function blockOf(name: string): string {
  const text = readFileSync(join(repositoryRoot, 'docs/receiving.md'), 'utf8');
  return new RegExp(`^\`\`\`\\w+ ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1] ?? '';
}

describe('docs/receiving.md', () => {
  let code: DocumentCode;
  const realNow = Date.now;

  before(() => (code = extractCode('docs/receiving.md')));
  after(() => {
    code.remove();
  });
  beforeEach(() => (Date.now = () => seconds * 1000));
  afterEach(() => (Date.now = realNow));

  /** The three verifiers of the document in one form: whether they take the request. */
  async function verifiers(): Promise<
    [string, (raw: Buffer, given: Headers, key: string) => boolean][]
  > {
    const { isGenuine } = await code.load<{ isGenuine: IsGenuine }>('verify.mjs');
    const stripe = await code.load<{ verified: Verified }>('verify-stripe.mjs');
    const standard = await code.load<{ verified: Verified }>('verify-standard.mjs');
    const takes = (verified: Verified) => (raw: Buffer, given: Headers, key: string) => {
      try {
        return verified(raw, given, key).id === 'evt_test_1';
      } catch {
        return false;
      }
    };

    return [
      ['node:crypto', (raw, given, key) => isGenuine(raw, given['x-service-signature'], key)],
      ['stripe', takes(stripe.verified)],
      ['standardwebhooks', takes(standard.verified)],
    ];
  }

  it('its verifiers accept the vectors that it names', async () => {
    const text = readFileSync(join(repositoryRoot, 'docs/receiving.md'), 'utf8');
    for (const value of [secret, body.toString(), hex, base64]) expect(text).to.include(value);
    for (const [name, takes] of await verifiers()) {
      expect(takes(body, headers, secret), name).to.equal(true);
    }
  });

  it('its verifiers refuse another body, another secret, an old time and no signature', async () => {
    for (const [name, takes] of await verifiers()) {
      expect(takes(changed, headers, secret), name).to.equal(false);
      expect(takes(body, headers, oldSecret), name).to.equal(false);
      expect(takes(body, {}, secret), name).to.equal(false);
      Date.now = () => (seconds + 360) * 1000;
      expect(takes(body, headers, secret), name).to.equal(false);
      Date.now = () => seconds * 1000;
    }
  });

  it('its verifiers accept either secret during a rotation', async () => {
    for (const [name, takes] of await verifiers()) {
      expect(takes(body, duringRotation, secret), name).to.equal(true);
      expect(takes(body, duringRotation, oldSecret), name).to.equal(true);
    }
  });

  it('its verifier refuses headers that it cannot read', async () => {
    const { isGenuine } = await code.load<{ isGenuine: IsGenuine }>('verify.mjs');
    for (const header of [
      '',
      ',',
      't=',
      `v1=${hex}`,
      `t=x,v1=${hex}`,
      `t=${seconds},v1=zz`,
      'v1',
    ]) {
      expect(isGenuine(body, header, secret), header).to.equal(false);
    }
  });

  it('its receiver stores genuine events, and answers 204, 401 or 500', async () => {
    const { createReceiver } = await code.load<{ createReceiver: CreateReceiver }>('receiver.mjs');
    const stored: string[] = [];
    let failing = false;
    const server = createReceiver(secret, (event) => {
      if (failing) return Promise.reject(new Error('no room'));
      stored.push(event.id);
      return Promise.resolve();
    });

    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const post = async (raw: Buffer) =>
      (await fetch(url, { method: 'POST', headers, body: new Uint8Array(raw) })).status;
    try {
      expect(await post(body)).to.equal(204);
      expect(await post(changed)).to.equal(401);
      failing = true;
      expect(await post(body)).to.equal(500);
      expect(stored).to.deep.equal(['evt_test_1']);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('H305: names the vector of a public key, which openssl verifies as the document says', () => {
    const text = readFileSync(join(repositoryRoot, 'docs/receiving.md'), 'utf8');
    for (const value of [publicKey, `v1a,${ed25519}`]) expect(text).to.include(value);

    const folder = mkdtempSync(join(tmpdir(), 'signalpost-openssl-'));
    const verifies = (key: string, raw: Buffer) => {
      writeFileSync(join(folder, 'body'), raw);
      const args = ['-c', blockOf('verify-public.sh'), 'sh', key, 'evt_test_1', String(seconds)];
      return spawnSync('sh', [...args, ed25519, 'body'], { cwd: folder }).status;
    };
    try {
      expect(verifies(publicKey, body)).to.equal(0);
      expect(verifies(publicKey, changed)).to.equal(1);
      expect(verifies(otherKey, body)).to.equal(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const pythonTitle = 'H305: its Python program verifies with any of the public keys';

  if (python === undefined) {
    it(`${pythonTitle} (pending: python3-cryptography is not installed)`);
  } else {
    it(pythonTitle, () => {
      const given = { ...headers, 'webhook-signature': `v1,${base64} v1a,AAAA v1a,${ed25519}` };
      const cases = [
        [body, given, [publicKey]],
        [body, given, [otherKey, publicKey]],
        [changed, given, [publicKey]],
        [body, given, [otherKey]],
        [body, headers, [publicKey]],
        [body, given, []],
      ].map(([raw, ...rest]) => [(raw as Buffer).toString('base64'), ...rest]);
      const program = `${blockOf('verify_public.py')}
import json, sys
for raw, headers, keys in json.load(sys.stdin):
    print(is_signed(base64.b64decode(raw), headers, keys))
`;
      const { stdout, stderr } = spawnSync(python, ['-c', program], {
        input: JSON.stringify(cases),
        encoding: 'utf8',
      });
      expect(stderr).to.equal('');
      expect(stdout.trim().split('\n')).to.deep.equal([
        'True',
        'True',
        'False',
        'False',
        'False',
        'False',
      ]);
    });
  }
});
