import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { UnreachableReason } from '../../../src/domain/delivery/outcome.js';
import { createWebhookClient, type WebhookClient } from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import { dripBytes } from '../../support/behaviours.js';
import { eventually } from '../../support/eventually.js';
import { listen, listenSecurely, type Listener } from '../../support/listener.js';
import { type Receiver, startReceiver, type ReceiverOptions } from '../../support/receiver.js';

/** Long enough for all handshakes at once on a slow machine. */
const timeoutMs = 5_000;

/** What is wrong with a receiver, and the reason that it is known by. */
type Unfit = readonly [UnreachableReason, () => Promise<Receiver | Listener>];

const receiver = (options: ReceiverOptions) => () => startReceiver(options);
const server = (create: () => Server) => () => listen(create());
const tcp = (meet: (socket: Socket) => void) => server(() => createServer(meet));

const unfit: Readonly<Record<string, Unfit>> = {
  'has an expired certificate': [
    'tls_certificate_expired',
    receiver({ certificate: { expired: true } }),
  ],
  'has a certificate of tomorrow': [
    'tls_certificate_not_yet_valid',
    receiver({ certificate: { notYetValid: true } }),
  ],
  'has a self-signed one': [
    'tls_certificate_untrusted',
    receiver({ certificate: { selfSigned: true } }),
  ],
  'has one for another host': [
    'tls_certificate_wrong_host',
    receiver({ certificate: { names: ['other.test', '127.0.0.9'] } }),
  ],
  'speaks TLS 1.1 only': [
    'tls_failure',
    receiver({ tls: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } }),
  ],
  'speaks HTTP/2 only': ['tls_failure', receiver({ tls: { ALPNProtocols: ['h2'] } })],
  'accepts and never shakes hands': ['tls_timeout', tcp((socket) => socket.resume())],
  'drips its handshake': [
    'tls_timeout',
    tcp((socket) => void dripBytes(socket, Buffer.from('160303004a02000046', 'hex'), 1_000)),
  ],
  'sends rubbish for a handshake': [
    'tls_failure',
    tcp((socket) => socket.resume().write(Buffer.alloc(1_000_000, 'x'))),
  ],
  'speaks plain HTTP': [
    'tls_failure',
    tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n'))),
  ],
  'speaks plain HTTP/2': ['tls_failure', server(() => createHttp2Server())],
  'hangs up during the handshake': [
    'connection_reset',
    tcp((socket) => socket.once('data', () => socket.destroy())),
  ],
  'hangs up after the handshake': [
    'connection_reset',
    () => listenSecurely((socket) => socket.destroy()),
  ],
};

describe('a receiver without a proper handshake', () => {
  let webhookClient: WebhookClient;

  before(async () => {
    const { caFile } = await testAuthority();
    webhookClient = createWebhookClient({
      timeoutMs,
      allowPrivateTargets: { kind: 'private' },
      caFile,
    });
  });

  after(() => webhookClient.close());

  /** The outcome of an attempt, which must keep its deadline and leave no connection behind. */
  const meet = async (start: () => Promise<Receiver | Listener>) => {
    const met = await start();
    try {
      const startedAt = performance.now();
      const { outcome } = await webhookClient.post(
        `https://127.0.0.1:${met.port}/`,
        {},
        Buffer.from('{}'),
      );

      expect(performance.now() - startedAt).to.be.below(timeoutMs + 5_000);
      await eventually(() => expect(met.connections.open).to.equal(0), 'its socket is closed');
      expect(met.connections.accepted).to.equal(1);
      if ('requests' in met) expect(met.requests).to.have.length(0);

      return outcome;
    } finally {
      await met.close();
    }
  };

  it('H65: is known by what is wrong with it, within the deadline, and receives nothing', async () => {
    const met = Object.entries(unfit).map(async ([what, [, start]]) => [what, await meet(start)]);
    const expected = Object.entries(unfit).map(([what, [reason]]) => [
      what,
      { kind: 'unreachable', reason },
    ]);
    expect(Object.fromEntries(await Promise.all(met))).to.deep.equal(Object.fromEntries(expected));
  });

  it('H65: with an authority that is not configured is tls_certificate_untrusted', async () => {
    const unnamed = await startReceiver();
    const strict = createWebhookClient({ timeoutMs, allowPrivateTargets: { kind: 'private' } });
    try {
      const { outcome } = await strict.post(unnamed.url(), {}, Buffer.from('{}'));
      expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'tls_certificate_untrusted' });
      expect(unnamed.requests).to.have.length(0);
    } finally {
      await Promise.all([strict.close(), unnamed.close()]);
    }
  });

  it('H65: that does not listen is connection_refused', async () => {
    const { outcome } = await webhookClient.post('https://127.0.0.1:1/', {}, Buffer.from('{}'));
    expect(outcome).to.deep.equal({ kind: 'unreachable', reason: 'connection_refused' });
  });

  it('a file without certificates is refused before anything is sent', () => {
    for (const caFile of [import.meta.filename, '/nowhere/ca.pem']) {
      expect(() =>
        createWebhookClient({ timeoutMs, allowPrivateTargets: { kind: 'none' }, caFile }),
      ).to.throw();
    }
  });
});
