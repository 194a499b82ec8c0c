import { expect } from 'chai';
import {
  createWebhookClient,
  type WebhookClient,
  type PostOptions,
} from '../../../src/outbound/post.js';
import { testAuthority } from '../../support/authority.js';
import { hang } from '../../support/behaviours.js';
import { watchClientSockets } from '../../support/sockets.js';
import { eventually } from '../../support/eventually.js';
import { fixedNames } from '../../support/name-server.js';
import { startReceiver, type Receiver } from '../../support/receiver.js';

describe('a request that a gate holds', () => {
  let receiver: Receiver;
  let webhookClient: WebhookClient;

  const start = async (timeoutMs = 5_000) => {
    const { caFile } = await testAuthority();
    webhookClient = createWebhookClient({
      timeoutMs,
      allowPrivateTargets: { kind: 'cidrs', cidrs: ['127.0.0.0/8'] },
      caFile,
      names: fixedNames('127.0.0.1'),
    });
  };

  const post = (options: PostOptions) =>
    webhookClient.post(receiver.url(), {}, Buffer.from('{}'), options);

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await webhookClient.close();
    await receiver.close();
  });

  it('waits on an open connection, while its timeout stands still', async () => {
    await start(3_000);

    let heldMs = 0;
    const gate = async () => {
      const from = performance.now();
      expect(receiver.requests).to.have.length(0);
      // Longer than the timeout, by the clock that the timeout uses.
      await eventually(() => {
        expect(performance.now() - from).to.be.greaterThan(3_200);
      }, 'time passes');
      heldMs = performance.now() - from;
    };

    const { outcome, durationMs } = await post({ gate });
    expect(outcome).to.deep.equal({ kind: 'accepted', status: 200 });
    expect(durationMs).to.be.lessThan(heldMs);
    receiver.always(hang);

    const late = await post({ gate: () => Promise.resolve() });
    expect(late.outcome).to.deep.equal({ kind: 'unreachable', reason: 'timeout' });
  });

  it('is not sent when the gate throws', async () => {
    await start();
    const closed = new Error('too late');
    const thrown = await post({ gate: () => Promise.reject(closed) }).catch(
      (error: unknown) => error,
    );
    expect(thrown).to.equal(closed);
    expect(receiver.requests).to.have.length(0);
    expect((await post({})).outcome.kind).to.equal('accepted');
  });

  it('passes the gate again on a new connection when it loses the first', async () => {
    await start();

    const sockets = watchClientSockets();
    const accepted: number[] = [];
    const gate = async () => {
      accepted.push(receiver.connections.accepted);
      if (accepted.length > 1) return;
      receiver.dropConnections();
      // Of the sender, too: it cannot know whether a request on a dying connection was received.
      await eventually(() => {
        expect(receiver.connections.open).to.equal(0);
        expect(sockets.open).to.have.length(0);
      }, 'the connection is closed');
    };

    expect((await post({ gate })).outcome.kind).to.equal('accepted');
    sockets.end();
    expect(accepted).to.deep.equal([1, 2]);
    expect(receiver.requests).to.have.length(1);
  });

  it('is not sent after it was aborted, even if the gate opens', async () => {
    await start();

    const aborting = new AbortController();
    let open: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      const gate = () => {
        resolve();
        return new Promise<void>((opened) => (open = opened));
      };
      void post({ gate, signal: aborting.signal }).catch(() => undefined);
    });

    await held;
    aborting.abort(new Error('stopping'));
    open();
    expect((await post({})).outcome.kind).to.equal('accepted');
    expect(receiver.requests).to.have.length(1);
  });
});
