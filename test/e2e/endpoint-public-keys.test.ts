import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fetch, type Response } from 'undici';
import { answer } from '../support/behaviours.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { tablesWith } from '../support/erasure.js';
import { type ReceivedRequest, type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, GraphqlRefusal, type Tenant } from '../support/tenants.js';

const fields = `options { publicKeySignature { url keys { publicKey createdAt expiresAt } } }`;
const set = `mutation ($id: ID!, $on: Boolean, $account: ID) {
  changed: setEndpointOptions(id: $id, input: { publicKeySignature: $on }, account: $account) { ${fields} } }`;
const rotate = `mutation ($id: ID!, $account: ID) {
  changed: rotateEndpointPublicKey(id: $id, account: $account) { ${fields} } }`;

interface PublicKeySignature {
  readonly url: string;
  readonly keys: readonly { publicKey: string; createdAt: string; expiresAt: string | null }[];
}

/** What a receiver verifies. */
interface Signed {
  readonly publicKey: string;
  readonly message: Buffer;
  readonly signature: Buffer;
}

const pythonProgram = `
import base64, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
key, signature, path = sys.argv[1:]
public = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.removeprefix("whpk_")))
public.verify(base64.b64decode(signature), open(path, "rb").read())
`;

// Debian's python3-cryptography belongs to Debian's Python, which may not be the first of the PATH.
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import cryptography']).status === 0,
);

/** Whether `openssl pkeyutl` verifies, with the public key as PEM. */
function opensslAccepts({ publicKey, message, signature }: Signed, folder: string): boolean {
  const point = Buffer.from(publicKey.slice('whpk_'.length), 'base64');
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), point]);
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
  const { status, stdout } = spawnSync('openssl', [
    ...['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', file('key.pem', pem)],
    ...['-in', file('message', message), '-sigfile', file('signature', signature)],
  ]);
  return status === 0 && stdout.toString().includes('Signature Verified Successfully');
}

function pythonAccepts({ publicKey, message, signature }: Signed, folder: string): boolean {
  const path = join(folder, 'message');
  writeFileSync(path, message);
  const args = ['-c', pythonProgram, publicKey, signature.toString('base64'), path];
  return spawnSync(python ?? 'python3', args).status === 0;
}

describe('the signature with a public key', () => {
  let service: Service;
  let receiver: Receiver;
  let folder: string;
  let tenant: Tenant;
  let id: string;
  let signingSecret: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-keys-'));
    receiver = await startReceiver();
    // 60 requests a minute from one address for public pages.
    service = await startService({ environment: { LOG_LEVEL: 'trace', RATE_LIMIT: '600' } });
  });

  after(async () => {
    await service.stop();
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    receiver.always(answer(200));
    tenant = await createTenant(service);
    const endpoint = await createEndpoint(tenant.rest, {
      url: receiver.url(`/${tenant.account}`),
    });
    ({ id, signing_secret: signingSecret } = endpoint);
  });

  const call = async (document: string, variables: object = {}) => {
    const { changed } = await tenant.graphql<{
      changed: { options: { publicKeySignature: PublicKeySignature | null } };
    }>(document, { id, account: tenant.account, ...variables });
    return changed.options.publicKeySignature;
  };

  const deliver = async () => {
    const event = await tenant.publish({ data: { note: 'Grüße 🌍' } });
    return receiver.next((request) => request.headers['webhook-id'] === event);
  };

  /** The Ed25519 signatures of a request, as somebody verifies them with a key. */
  const signedWith = (publicKey: string, { headers, body }: ReceivedRequest): Signed[] => {
    const start = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
    return (headers['webhook-signature'] ?? '')
      .split(' ')
      .filter((each) => each.startsWith('v1a,'))
      .map((each) => ({
        publicKey,
        message: Buffer.concat([Buffer.from(start), body]),
        signature: Buffer.from(each.slice('v1a,'.length), 'base64'),
      }));
  };

  const changed = (signed: Signed): Signed => {
    const message = Buffer.from(signed.message);
    message[message.length - 3]! ^= 1;
    return { ...signed, message };
  };

  const keysAt = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { headers });

  it('H305: openssl verifies it, and the other two signatures stay as they are', async () => {
    const plain = await deliver();
    expect(plain.headers['webhook-signature']).to.match(/^v1,[A-Za-z0-9+/]{43}=$/);

    const on = await call(set, { on: true });
    const [key] = on?.keys ?? [];
    expect(key?.publicKey).to.match(/^whpk_[A-Za-z0-9+/]{43}=$/);

    const request = await deliver();
    expect(request.headers['webhook-signature']).to.match(
      /^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}==$/,
    );
    expect(verify(request, signingSecret)).to.deep.equal({ service: true, standard: true });

    const [signed] = signedWith(key?.publicKey ?? '', request);
    expect(opensslAccepts(signed!, folder)).to.equal(true);
    expect(opensslAccepts(changed(signed!), folder)).to.equal(false);

    const { body } = await tenant.rest.get(`${endpointsPath}/${id}`);
    expect(JSON.stringify(body)).not.to.include('whpk_');
  });

  const pythonTitle = "H305: Debian's python3-cryptography verifies it";

  if (python === undefined) {
    it(`${pythonTitle} (pending: python3-cryptography is not installed)`);
  } else {
    it(pythonTitle, async () => {
      const on = await call(set, { on: true });
      const [signed] = signedWith(on?.keys[0]?.publicKey ?? '', await deliver());
      expect(pythonAccepts(signed!, folder)).to.equal(true);
      expect(pythonAccepts(changed(signed!), folder)).to.equal(false);
    });
  }

  it('H306: after a rotation both keys verify, then only the new one; off ends it at once', async () => {
    const [first] = (await call(set, { on: true }))?.keys ?? [];
    const [second, former] = (await call(rotate))?.keys ?? [];
    expect(former).to.include({ publicKey: first?.publicKey });
    const lasts = Date.parse(former?.expiresAt ?? '') - Date.parse(second?.createdAt ?? '');
    expect(lasts).to.equal(24 * 3_600_000);

    const overlapping = await deliver();
    const verified = (publicKey = '') =>
      signedWith(publicKey, overlapping).map((signed) => opensslAccepts(signed, folder));
    expect(verified(second?.publicKey)).to.deep.equal([true, false]);
    expect(verified(first?.publicKey)).to.deep.equal([false, true]);
    expect(verify(overlapping, signingSecret)).to.deep.equal({ service: true, standard: true });

    await service.database.query(
      `update endpoint_secret set expires_at = now() - interval '1 second' where public_key = $1`,
      [first?.publicKey],
    );
    const later = await deliver();
    expect(
      signedWith(second?.publicKey ?? '', later).map((signed) => opensslAccepts(signed, folder)),
    ).to.deep.equal([true]);

    expect(await call(set, { on: false })).to.equal(null);
    expect((await deliver()).headers['webhook-signature']).not.to.include('v1a');

    const refusal = await call(rotate).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(GraphqlRefusal).and.include({ code: 'state_conflict' });
  });

  it('H305: no table, log line or answer has the private key', async () => {
    await call(set, { on: true });
    const pair = await call(rotate);
    await deliver();
    const response = await keysAt(pair?.url ?? '');
    const outputs = await eventually(() => {
      const lines = [service.api, ...service.workers].flatMap((one) => one.lines);
      expect(lines.join('\n')).to.include(tenant.account);
      return lines;
    }, 'the log names the account');
    expect([...outputs, JSON.stringify(pair), await response.text()].join('\n')).not.to.include(
      'whsk_',
    );
    expect(await tablesWith(service.database, 'whsk_')).to.deep.equal([]);
  });

  it('H307: whoever has the id of an endpoint reads its public keys, and keeps them for 5 minutes', async () => {
    await call(set, { on: true });
    const pair = await call(rotate);
    const url = pair?.url ?? '';
    expect(url).to.equal(`${service.url}/webhooks/keys/${id}`);

    const response = await keysAt(url);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).to.equal('public, max-age=300');
    expect(await response.json()).to.deep.equal({
      keys: pair?.keys.map(({ publicKey, expiresAt }) => ({
        public_key: publicKey,
        expires_at: expiresAt,
      })),
    });

    const etag = response.headers.get('etag') ?? '';
    expect((await keysAt(url, { 'if-none-match': etag })).status).to.equal(304);
    await call(rotate);
    expect((await keysAt(url, { 'if-none-match': etag })).status).to.equal(200);

    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    const post = await fetch(url, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
  });

  it('H307: an endpoint without a public key, a deleted one and one that never was answer alike', async () => {
    const pair = await call(set, { on: true });
    const deleted = pair?.url ?? '';
    await tenant.rest.send('DELETE', `${endpointsPath}/${id}`, { key: 'delete' });
    const without = await createEndpoint(tenant.rest, { url: receiver.url('/without') });
    const never = `whs_${'0'.repeat(24)}`;

    const answers = await Promise.all(
      [
        deleted,
        ...[without.id, never, 'whs_1', `${never}/x`, ''].map(
          (last) => `${service.url}/webhooks/keys/${last}`,
        ),
      ].map(async (url) => {
        const response = await keysAt(url);
        const { request_id, ...problem } = (await response.json()) as Record<string, unknown>;
        expect(request_id).to.match(/^req_/);
        return [response.status, response.headers.get('cache-control'), problem];
      }),
    );
    for (const each of answers) expect(each).to.deep.equal(answers[0]);
    expect(answers[0]?.[0]).to.equal(404);
  });

  it('H307: counts every request towards the limit of public pages for an address', async () => {
    const url = `${service.url}/webhooks/keys/whs_${'0'.repeat(24)}`;
    let response = await keysAt(url);
    // At most 60 in each of two windows.
    for (let count = 0; count < 120 && response.status === 404; count += 1) {
      response = await keysAt(url);
    }
    expect(await response.json()).to.include({ status: 429, code: 'rate_limit_exceeded' });
  });
});
