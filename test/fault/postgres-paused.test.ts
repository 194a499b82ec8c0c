import { expect } from 'chai';
import { fetch } from 'undici';
import { after as answerAfter, answer } from '../support/behaviours.js';
import { type Cluster, startCluster } from '../support/cluster.js';
import { insertEndpoint } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { isLongRun } from '../support/long-run.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

/** Attempts that PostgreSQL cannot record while it pauses. */
const endpoints = 24;
/** They end one after the other: the first waits to be recorded in a connection, the others in memory. */
const spacingMs = 20;
/** A lease lasts twice as long. */
const WEBHOOKS_TIMEOUT = '4s';

describeOnQueues('a PostgreSQL that pauses for longer than a lease', (create) => {
  let cluster: Cluster;
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    cluster = await startCluster();
    queue = await create(cluster);
    stream = await openEventStream(queue, { WEBHOOKS_TIMEOUT });
    for (let count = 1; count < endpoints; count += 1) {
      const url = stream.receiver.url(`/hook-${count}`);
      await insertEndpoint(stream.database, stream.account, `url = '${url}'`);
    }
    await Promise.all([stream.startWorker(), stream.startWorker()]);
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
    await cluster.stop();
  });

  /** Resolves when a worker ends leases of others: PostgreSQL has answered it for long enough. */
  async function untilLeasesEnd(): Promise<void> {
    const left = 'select from lease where token = 1';
    await stream.database.query(
      "insert into lease values (1, now() - interval '1 second', '{}') on conflict do nothing",
    );
    await eventually(
      async () => expect(await stream.database.query(left)).to.be.empty,
      'a worker ends leases',
    );
  }

  /** Pauses PostgreSQL while all endpoints have a request, until their leases are over. */
  async function pauseDuringAttempts(injection: FaultInjection): Promise<void> {
    await untilLeasesEnd();

    let place = 0;
    let paused: ReturnType<Cluster['pause']> | undefined;
    stream.receiver.choose(() => async (request, response) => {
      place += 1;
      const respond = answerAfter(place * spacingMs, answer(200));
      await (paused ??= cluster.pause());
      await respond(request, response);
    });

    await stream.publish();

    const resume = await eventually(() => {
      if (!paused) throw new Error('no request has arrived');
      return paused;
    }, 'PostgreSQL pauses');

    await injection.holdFault();
    await resume();

    await eventually(
      async () => expect(await stream.database.query('select from pending_delivery')).to.be.empty,
      'everything is recorded',
    );

    stream.receiver.choose(() => undefined);
  }

  /** How many deliveries workers took from a process that they believed dead. */
  async function interruptions(): Promise<number> {
    let count = 0;
    for (const { healthUrl } of stream.workers) {
      const metrics = await (await fetch(`${healthUrl}/metrics`)).text();
      count += Number(/poll_finds_total\{found="interrupted"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    }
    return count;
  }

  async function survive(injection: FaultInjection): Promise<void> {
    await injection.repeat(() => pauseDuringAttempts(injection));
    const { injected } = injection;
    const { duplicates } = await stream.close('PostgreSQL paused', { injected });
    expect(duplicates, 'sent twice').to.equal(0);
    expect(await interruptions(), 'counted as interrupted').to.equal(0);
  }

  it('the workers send nothing twice, because they end no lease that ended during the pause', async function () {
    const injection = new FaultInjection('PostgreSQL paused');
    this.timeout(injection.limitMs);
    await survive(injection);
  });

  // A long run also tests that the workers give up waiting for answers, and connect again.
  if (!isLongRun) return;

  it('the workers send nothing twice when their statements run after they gave them up', async function () {
    const injection = new FaultInjection('PostgreSQL paused for long');
    this.timeout(injection.limitMs);
    await survive(injection);
  });
});
