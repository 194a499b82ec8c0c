import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { Outcome } from '../../../src/domain/delivery/outcome.js';
import { createWebhookClient, type WebhookClient } from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import { type ClientSockets, watchClientSockets } from '../../support/sockets.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, type ReceiverOptions, startReceiver } from '../../support/receiver.js';

const hourMs = 3_600_000;
const body = Buffer.from('{}');

describe('a TLS session that is resumed', () => {
  let sockets: ClientSockets;
  let webhookClient: WebhookClient;
  let receiver: Receiver;
  let passedMs: number;

  const start = async (options: ReceiverOptions) => {
    const { caFile } = await testAuthority();
    passedMs = 0;
    const now = () => Date.now() + passedMs;
    const allowPrivateTargets = { kind: 'private' } as const;
    webhookClient = createWebhookClient({ timeoutMs: 5_000, allowPrivateTargets, caFile, now });
    receiver = await startReceiver(options);
  };

  /** Posts over a new connection; whether that resumed a session, undefined when it failed. */
  const postOnNewConnection = async (): Promise<{
    outcome: Outcome;
    reused: boolean | undefined;
  }> => {
    receiver.dropConnections();
    await eventually(() => expect(sockets.open).to.have.length(0), 'all are closed');
    const before = sockets.to(receiver.port).length;
    const { outcome } = await webhookClient.post(receiver.url(), {}, body);
    const made = sockets.to(receiver.port)[before] as Partial<TLSSocket> | undefined;
    return { outcome, reused: made?.isSessionReused?.() };
  };

  beforeEach(() => {
    sockets = watchClientSockets();
  });

  afterEach(async () => {
    sockets.end();
    await Promise.all([webhookClient.close(), receiver.close()]);
  });

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    it(`H116: is none of a certificate that has expired since (${version})`, async () => {
      await start({ certificate: { validMs: 8_000 }, tls: { maxVersion: version } });
      expect((await postOnNewConnection()).reused).to.equal(false);
      expect((await postOnNewConnection()).reused).to.equal(true);
      await eventually(async () => {
        expect((await postOnNewConnection()).outcome).to.deep.equal({
          kind: 'unreachable',
          reason: 'tls_certificate_expired',
        });
      }, 'the certificate has expired');
    });

    it(`H116: ends an hour after the handshake that it began with (${version})`, async () => {
      await start({ tls: { maxVersion: version } });
      expect((await postOnNewConnection()).reused).to.equal(false);
      // Each of these brings a new ticket, which must not restart the hour.
      for (const minutes of [20, 40, 59]) {
        passedMs = minutes * 60_000;
        expect(await postOnNewConnection(), `${minutes} min`).to.include({ reused: true });
      }
      passedMs = hourMs + 1_000;
      expect(await postOnNewConnection()).to.include({ reused: false });
      expect(await postOnNewConnection()).to.include({ reused: true });
    });
  }

  it('H116: is not outlived by a connection that is in use all the time', async () => {
    await start({});
    for (const minutes of [0, 30, 59]) {
      passedMs = minutes * 60_000;
      expect((await webhookClient.post(receiver.url(), {}, body)).outcome.kind).to.equal(
        'accepted',
      );
    }
    expect(receiver.connections.accepted).to.equal(1);
    passedMs = hourMs + 1_000;
    expect((await webhookClient.post(receiver.url(), {}, body)).outcome.kind).to.equal('accepted');
    expect(receiver.connections.accepted).to.equal(2);
    await eventually(() => expect(receiver.connections.open).to.equal(1), 'the first is closed');
    const [, second] = sockets.to(receiver.port) as readonly Partial<TLSSocket>[];
    expect(second?.isSessionReused?.()).to.equal(false);
  });

  it('H116: is not resumed by a clock that stepped back', async () => {
    await start({});
    await postOnNewConnection();
    passedMs = -hourMs;
    expect(await postOnNewConnection()).to.include({ reused: false });
  });
});
