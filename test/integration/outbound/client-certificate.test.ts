import { X509Certificate } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { createWebhookClient, type WebhookClient } from '../../../src/outbound/post.js';
import { type TestAuthority, testAuthority } from '../../support/authority.js';
import { type ConnectProxy, startConnectProxy } from '../../support/connect-proxy.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';

const accepted = { kind: 'accepted', status: 200 };
const body = Buffer.from('{}');

/** A certificate with its key, in PEM. */
type Pair = Awaited<ReturnType<TestAuthority['issue']>>;

describe('a client certificate', () => {
  let authority: TestAuthority;
  let folder: string;
  let certFile: string;
  let keyFile: string;
  let first: Pair;
  let second: Pair;
  let receiver: Receiver;
  /** The fingerprints of the certificates that the receiver saw, one for each request. */
  let shown: (string | undefined)[];
  let replaced: string[];
  let unusable: string[];
  let cleanUps: (() => unknown)[];

  before(async () => {
    authority = await testAuthority();
    [first, second] = await Promise.all([authority.issue(), authority.issue()]);
  });

  beforeEach(async () => {
    cleanUps = [];
    shown = [];
    replaced = [];
    unusable = [];
    folder = mkdtempSync(join(tmpdir(), 'signalpost-client-'));
    certFile = join(folder, 'tls.crt');
    keyFile = join(folder, 'tls.key');
    write(first);

    receiver = await startReceiver({
      tls: { requestCert: true, rejectUnauthorized: true, ca: readFileSync(authority.caFile) },
    });
    receiver.always((request, response) => {
      shown.push((request.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256);
      response.writeHead(200).end();
    });
  });

  afterEach(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    await receiver.close();
    rmSync(folder, { recursive: true });
  });

  /** Replaces a file at once, so that no half of it is read. */
  const put = (file: string, text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };

  const write = ({ cert, key }: Pair) => {
    put(certFile, cert);
    put(keyFile, key);
  };

  const openClient = (proxy?: ConnectProxy): WebhookClient => {
    const client = createWebhookClient({
      timeoutMs: 60_000,
      allowPrivateTargets: { kind: 'private' },
      caFile: authority.caFile,
      clientCertificate: {
        certFile,
        keyFile,
        checkEveryMs: 5,
        onReplaced: ({ fingerprint256 }) => replaced.push(fingerprint256),
        onUnusable: ({ message }) => unusable.push(message),
      },
      proxy: proxy && {
        url: proxy.url(),
        sendsNames: false,
        onFault: (fault) => {
          throw fault;
        },
        onAvailable: () => undefined,
      },
    });
    cleanUps.push(() => client.close());
    return client;
  };

  const post = async (client: WebhookClient, account = '') =>
    (await client.post(receiver.url(), {}, body, { account })).outcome;
  const fingerprintOf = ({ cert }: Pair) => new X509Certificate(cert).fingerprint256;

  it('H293: shows the client certificate to a receiver that asks for one, also through an https proxy', async () => {
    const proxy = await startConnectProxy({ secure: true });
    cleanUps.push(() => proxy.stop());
    expect(await post(openClient())).to.deep.equal(accepted);
    expect(await post(openClient(proxy))).to.deep.equal(accepted);
    expect(shown).to.deep.equal([fingerprintOf(first), fingerprintOf(first)]);
    expect(proxy.tunnels).to.have.length(1);
  });

  it('fails an attempt at a receiver that wants a certificate when there is none', async () => {
    const client = createWebhookClient({
      timeoutMs: 60_000,
      allowPrivateTargets: { kind: 'private' },
      caFile: authority.caFile,
    });
    cleanUps.push(() => client.close());
    expect(await post(client)).to.deep.equal({ kind: 'unreachable', reason: 'tls_failure' });
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`H293: shows a new certificate, and ends idle connections and TLS sessions of the old one (${version})`, async () => {
      await receiver.close();
      receiver = await startReceiver({
        tls: {
          requestCert: true,
          rejectUnauthorized: true,
          ca: readFileSync(authority.caFile),
          maxVersion: version,
        },
      });
      const resumed: boolean[] = [];
      receiver.always((request, response) => {
        const socket = request.socket as TLSSocket;
        shown.push(socket.getPeerX509Certificate()?.fingerprint256);
        resumed.push(socket.isSessionReused());
        response.writeHead(200).end();
      });

      const client = openClient();
      await post(client);
      expect(receiver.connections.open).to.equal(1);

      write(second);
      await eventually(() => expect(replaced).to.have.length(1), 'it is replaced');
      await eventually(() => expect(receiver.connections.open).to.equal(0), 'idle ones are closed');
      await post(client);
      expect(shown).to.deep.equal([first, second].map(fingerprintOf));
      expect(resumed).to.deep.equal([false, false]);
      expect(replaced).to.deep.equal([fingerprintOf(second)]);
    });
  }

  it('H293: uses a connection that was busy during the change for no further request', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    receiver.script(async (request, response) => {
      shown.push((request.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256);
      await held;
      response.writeHead(200).end();
    });

    const client = openClient();
    const busy = post(client);
    await receiver.next();
    write(second);
    await eventually(() => expect(replaced).to.have.length(1), 'it is replaced');
    release();
    expect(await busy).to.deep.equal(accepted);
    expect(await post(client)).to.deep.equal(accepted);
    expect(shown).to.deep.equal([first, second].map(fingerprintOf));
  });

  it('H293: follows a symbolic link that is replaced, as Kubernetes does', async () => {
    for (const [name, { cert, key }] of [
      ['one', first],
      ['two', second],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'tls.crt'), cert);
      writeFileSync(join(folder, name, 'tls.key'), key);
    }
    symlinkSync('one', join(folder, 'data'));
    certFile = join(folder, 'data', 'tls.crt');
    keyFile = join(folder, 'data', 'tls.key');

    const client = openClient();
    await post(client);
    symlinkSync('two', join(folder, 'next'));
    renameSync(join(folder, 'next'), join(folder, 'data'));
    await eventually(() => expect(replaced).to.have.length(1), 'it is replaced');
    await post(client);
    expect(shown).to.deep.equal([first, second].map(fingerprintOf));
  });

  it('H293: reports a pair that cannot be used once, and keeps the old one', async () => {
    const client = openClient();
    // Each changes one file, so that no check reads a pair of two steps.
    const broken: readonly [() => void, string][] = [
      [
        () => put(certFile, second.cert),
        'WEBHOOKS_CLIENT_KEY_FILE: is not the key of WEBHOOKS_CLIENT_CERT_FILE',
      ],
      [
        () => put(keyFile, 'no key'),
        'WEBHOOKS_CLIENT_KEY_FILE: has no PEM private key, or one with a passphrase',
      ],
      [() => put(certFile, 'no certificate'), 'WEBHOOKS_CLIENT_CERT_FILE: has no PEM certificate'],
      [() => rmSync(keyFile), 'WEBHOOKS_CLIENT_KEY_FILE: cannot be read (ENOENT)'],
    ];

    for (const [breakIt, message] of broken) {
      breakIt();
      await eventually(() => expect(unusable).to.include(message), message);
      // Accounts share no connection, so each of these begins with a handshake.
      expect(await post(client, message)).to.deep.equal(accepted);
    }
    expect(unusable).to.deep.equal(broken.map(([, message]) => message));

    write(second);
    await eventually(() => expect(replaced).to.include(fingerprintOf(second)), 'it is replaced');
    expect(await post(client)).to.deep.equal(accepted);
    expect(shown.at(-1)).to.equal(fingerprintOf(second));
    expect(new Set(shown.slice(0, -1))).to.deep.equal(new Set([fingerprintOf(first)]));
  });

  it('H293: refuses to start without a usable pair, and names the setting', () => {
    const cases: readonly [() => void, RegExp][] = [
      [() => rmSync(certFile), /^WEBHOOKS_CLIENT_CERT_FILE: cannot be read \(ENOENT\)$/],
      [
        () => put(certFile, second.cert),
        /^WEBHOOKS_CLIENT_KEY_FILE: is not the key of WEBHOOKS_CLIENT_CERT_FILE$/,
      ],
      [() => rmSync(keyFile), /^WEBHOOKS_CLIENT_KEY_FILE: cannot be read \(ENOENT\)$/],
    ];
    for (const [breakIt, message] of cases) {
      breakIt();
      expect(() => openClient()).to.throw(message);
    }
  });
});
