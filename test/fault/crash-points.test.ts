import { expect } from 'chai';
import { answer, type Behaviour } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { isLongRun } from '../support/long-run.js';
import { describeOnQueues, through, type TestQueue } from '../support/queue-backends.js';
import { createFailpointProxy, type Failpoint, type FailpointProxy } from '../support/proxies.js';
import type { WorkerProcess } from '../support/service.js';

/** What happens at one point. */
interface Point {
  readonly title: string;
  /** Lets the next worker die there. */
  readonly arm: () => void;
  /** Requests that come again for each death. */
  readonly again: number;
}

/** The number of points, which share the time of a soak. */
const points = 5;

describeOnQueues('R4: a worker killed at one point of a delivery', (create) => {
  let queue: TestQueue;
  let stream: EventStream;
  let postgres: FailpointProxy;
  let wakeups: FailpointProxy;
  let victim: WorkerProcess | undefined;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());

  beforeEach(async () => {
    stream = await openEventStream(queue, { WEBHOOKS_RETRY_SCHEDULE: '3s,3s' });
    postgres = await createFailpointProxy(Number(new URL(stream.database.url).port));
    const { redisUrl } = queue;
    wakeups = redisUrl ? await createFailpointProxy(Number(new URL(redisUrl).port)) : postgres;
  });

  afterEach(async () => {
    await stream.drop();
    await Promise.all([postgres.close(), wakeups.close()]);
  });

  /** Starts a worker whose connections pass the tripwires. */
  const startVictim = () =>
    stream.startWorker({
      DATABASE_URL: through(postgres, stream.database.url),
      ...(queue.redisUrl !== undefined && { REDIS_URL: through(wakeups, queue.redisUrl) }),
    });

  const killVictim = () => void victim?.end('SIGKILL');
  const killAt = (moment: Failpoint, wire = postgres) => wire.arm(moment, killVictim);

  /** Kills a worker at the point; another one takes over and stops in order. */
  async function dieAt({ arm }: Point): Promise<void> {
    arm();
    victim = await startVictim();
    await stream.publish();
    await eventually(() => expect(victim?.running).to.equal(false), 'the worker was killed');
    await stream.publish();
    await stream.endLeases();

    const replacement = await stream.startWorker();

    await eventually(
      async () =>
        expect(await stream.database.query('select id from pending_delivery')).to.deep.equal([]),
      'everything has ended',
    );

    expect(await replacement.end()).to.equal(0);
  }

  /** @returns how often a worker was killed */
  async function survive(context: Mocha.Context, point: Point): Promise<number> {
    const injection = new FaultInjection('worker killed at one point', points);
    context.timeout(injection.limitMs);
    await injection.repeat(() => dieAt(point));
    const { injected } = injection;
    const { duplicates } = await stream.close(point.title, { injected });
    expect(duplicates).to.equal(injected * point.again);
    return injected;
  }

  it('sends the event again when the worker dies after sending it', async function () {
    const dies: Behaviour = () => killVictim();
    const arm = () => stream.receiver.script(dies);
    await survive(this, { title: 'killed after send', again: 1, arm });
  });

  it('does not send the event again when the worker dies after recording it', async function () {
    // A column of the statement that records and commits by itself.
    const matches = (text: string) => text.includes('acceptedOrdinals\0');
    const arm = () => killAt({ when: 'response', matches });
    await survive(this, { title: 'killed after settle', again: 0, arm });
  });

  it('sends the retry although the worker dies before it schedules the wake-up', async function () {
    // The job of the event names its second when it ends; only a scheduled one names a later second.
    const matches = (text: string) =>
      [...text.matchAll(/due-(\d{10})/g)].some(([, second]) => Number(second) * 1_000 > Date.now());
    const arm = () => {
      stream.receiver.script(answer(500));
      killAt({ when: 'request', matches }, wakeups);
    };
    const injected = await survive(this, { title: 'killed before wake-up', again: 0, arm });
    const second = stream.receiver.requests.filter(
      ({ headers }) => headers['x-service-attempt'] === '2',
    );
    expect(second).to.have.length(injected);
  });

  // Only a long run tests the points before these.
  if (!isLongRun) return;

  it('has sent nothing when the worker dies after the claim', async function () {
    const matches = (text: string) => text.includes(stream.receiver.url('/hook'));
    const arm = () => killAt({ when: 'response', matches });
    await survive(this, { title: 'killed after claim', again: 0, arm });
  });

  it('sends the event again when the worker dies after the response', async function () {
    const matches = (text: string) => text.includes('record_all_accepted');
    const arm = () => killAt({ when: 'request', matches });
    await survive(this, { title: 'killed after answer', again: 1, arm });
  });
});
