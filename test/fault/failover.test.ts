import { expect } from 'chai';
import { type ApiEventStream, openApiEventStream } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { ask, type FailoverPair, startFailoverPair } from '../support/failover-pair.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';

/** Acknowledged events before and after each step. */
const flowing = 60;
/** Operators are promised this. A failover takes about a second. */
const mostRecoveryMs = 15_000;
/** Connections of one API process and one worker. */
const mostWaiting = 40;
/**
 * All that the API answers to a publish while it reaches no primary. A GraphQL operation that has begun
 * has status 200.
 */
const unavailable = ['503 service_unavailable', '200 service_unavailable'];

describeServiceOnQueues('PostgreSQL with a synchronous standby', (create) => {
  let queue: ServiceQueue;
  let pair: FailoverPair;
  let stream: ApiEventStream;
  let figures: Readonly<Record<string, number>>;

  beforeEach(async function () {
    figures = {};
    queue = await create();
    pair = await startFailoverPair();
    stream = await openApiEventStream({ ...queue, cluster: pair });
  });

  afterEach(async () => {
    await stream.drop();
    await pair.stop();
    await queue.drop();
  });

  /** Waits until as many more events are acknowledged. */
  async function flow(): Promise<void> {
    const before = stream.acked.size;
    await eventually(
      () => expect(stream.acked.size).to.be.at.least(before + flowing),
      'events are acknowledged',
    );
  }

  const idsOn = async (server: FailoverPair['primary']) => {
    const { pathname } = new URL(stream.service.database.url.replace(/,[^/]*/, ''));
    const rows = await ask(server.url(pathname.slice(1)), 'select id from event');
    return rows.map(({ id }) => String(id));
  };

  /**
   * Publishes while `steps` run. Then nothing acknowledged is lost, no process has restarted, and the API
   * answered every other publish with service_unavailable: it cut no connection.
   */
  async function outlive(title: string, steps: () => Promise<void>): Promise<void> {
    await stream.publishUntil(steps());
    const refused = [...stream.refusals.values()].reduce((sum, count) => sum + count, 0);
    await stream.close(title, { injected: 1, figures: { ...figures, refused } });
    for (const refusal of stream.refusals.keys()) expect(refusal).to.be.oneOf(unavailable);
    const { api, workers } = stream.service;
    for (const { running, lines } of [api, ...workers]) {
      expect(running, lines.slice(-3).join('\n')).to.equal(true);
    }
  }

  /** As `outlive`; then each process has moved to the promoted host once, which has all acknowledged events. */
  async function survive(title: string, steps: () => Promise<void>): Promise<void> {
    await outlive(title, steps);
    const { api, workers } = stream.service;
    const { host: promoted } = new URL(pair.standby.url('postgres'));
    for (const { lines } of [api, ...workers]) {
      expect(lines.filter((line) => line.includes(`"host":"${promoted}"`))).to.have.lengthOf(1);
    }
    expect(await idsOn(pair.standby)).to.include.members([...stream.acked.values()]);
  }

  it('H205: the standby takes over from a killed primary, which stays unused when it returns', async function () {
    await survive('failover', async () => {
      await flow();
      await pair.primary.end('SIGKILL');

      const killedAt = performance.now();
      await pair.promote();

      const before = stream.acked.size;
      await eventually(() => expect(stream.acked.size).to.be.above(before), 'the next is stored');

      const publishesAgainMs = Math.round(performance.now() - killedAt);
      figures = { publishes_again_ms: publishesAgainMs };
      expect(publishesAgainMs).to.be.below(mostRecoveryMs);
      await flow();

      // Its other processes still end.
      await eventually(() => pair.primary.start(), 'the former primary is back');

      const stored = await idsOn(pair.primary);
      await flow();
      expect(await idsOn(pair.primary)).to.deep.equal(stored);
    });
  });

  it('H205: a standby that is promoted while the primary runs takes over', async function () {
    await survive('promoted beside the primary', async () => {
      await flow();
      await pair.promote();
      await flow();
      const before = await idsOn(pair.primary);
      await flow();
      expect(await idsOn(pair.primary)).to.deep.equal(before);
    });
  });

  it('H205: publishes are refused while the only standby is away, and go on when it is back', async function () {
    const { tenant } = stream;
    const publish = (key: string) => tenant.publish({ key });
    const waiting = async () => {
      const text = `select count(*)::int as count from pg_stat_activity where wait_event = 'SyncRep'`;
      const [row] = await ask(pair.primary.url('postgres'), text);
      return Number(row?.['count']);
    };

    await outlive('standby away', async () => {
      await flow();
      await pair.standby.end('SIGINT');

      for (const key of ['first', 'second']) {
        const refusal = await publish(key).catch((error: unknown) => error);
        expect(refusal).to.include({ status: 503, code: 'service_unavailable' });
      }

      // Each pool has its bound, so waits do not use up the connections of the server.
      expect(await waiting()).to.be.within(1, mostWaiting);

      const backAt = performance.now();
      const before = stream.acked.size;

      await pair.standby.start();
      await eventually(() => expect(stream.acked.size).to.be.above(before), 'the next is stored');
      figures = { publishes_again_ms: Math.round(performance.now() - backAt) };
      await flow();
    });

    // Both were stored, and their keys find them.
    for (const key of ['first', 'second']) expect(await publish(key)).to.match(/^evt_/);
  });
});
