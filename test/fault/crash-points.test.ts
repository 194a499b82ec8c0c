import { expect } from 'chai';
import { answer, type Behaviour } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, through, type TestQueue } from '../support/queue-backends.js';
import { createTripwire, type Moment, type Tripwire } from '../support/tripwire.js';
import type { WorkerProcess } from '../support/worker.js';

/** What happens at one point. */
interface Point {
  readonly title: string;
  /** Lets the next worker die there. */
  readonly arm: () => void;
  /** Requests that come again for each death. */
  readonly again: number;
}

/** They share the time of a soak. */
const points = 5;

describeOnQueues('R4: a worker killed at one point of a delivery', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;
  let postgres: Tripwire;
  let wakeups: Tripwire;
  let victim: WorkerProcess | undefined;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());
  beforeEach(async () => {
    ledger = await openLedger(queue, { WEBHOOKS_RETRY_SCHEDULE: '1s,1s' });
    postgres = await createTripwire(Number(new URL(ledger.database.url).port));
    const { redisUrl } = queue;
    wakeups = redisUrl ? await createTripwire(Number(new URL(redisUrl).port)) : postgres;
  });
  afterEach(async () => {
    await ledger.drop();
    await Promise.all([postgres.close(), wakeups.close()]);
  });

  /** Starts a worker whose connections pass the tripwires. */
  const startVictim = () =>
    ledger.startWorker({
      DATABASE_URL: through(postgres, ledger.database.url),
      ...(queue.redisUrl !== undefined && { REDIS_URL: through(wakeups, queue.redisUrl) }),
    });
  const killVictim = () => void victim?.end('SIGKILL');
  const killAt = (moment: Moment, wire = postgres) => wire.arm(moment, killVictim);

  /** One dies, another one takes over and stops in order. */
  async function dieAt({ arm }: Point): Promise<void> {
    arm();
    victim = await startVictim();
    await ledger.publish();
    await eventually(() => expect(victim?.running).to.equal(false), 'the worker was killed');
    await ledger.publish();
    await ledger.endLeases();
    const heir = await ledger.startWorker();
    await eventually(
      async () => expect(await ledger.database.query('select id from chain')).to.deep.equal([]),
      'everything has ended',
    );
    expect(await heir.end()).to.equal(0);
  }

  /** @returns how often it struck */
  async function survive(context: Mocha.Context, point: Point): Promise<number> {
    const ordeal = new Ordeal('worker killed at one point', points);
    context.timeout(ordeal.limitMs);
    await ordeal.strike(() => dieAt(point));
    const { struck } = ordeal;
    const { duplicates } = await ledger.close(point.title, { struck });
    expect(duplicates).to.equal(struck * point.again);
    return struck;
  }

  it('after claim: nothing was sent', async function () {
    const fits = (text: string) => text.includes(ledger.receiver.url('/hook'));
    const arm = () => killAt({ when: 'hears', fits });
    await survive(this, { title: 'killed after claim', again: 0, arm });
  });

  it('after send: it is sent again', async function () {
    const dies: Behaviour = () => killVictim();
    const arm = () => ledger.receiver.script(dies);
    await survive(this, { title: 'killed after send', again: 1, arm });
  });

  it('after answer: it is sent again', async function () {
    const fits = (text: string) => text.includes('settle_accepted');
    const arm = () => killAt({ when: 'asks', fits });
    await survive(this, { title: 'killed after answer', again: 1, arm });
  });

  it('after settle: it is not sent again', async function () {
    const fits = (text: string, before: string) =>
      text.includes('COMMIT\0') && before.includes('settle_accepted');
    const arm = () => killAt({ when: 'hears', fits });
    await survive(this, { title: 'killed after settle', again: 0, arm });
  });

  it('before wake-up: the retry comes all the same', async function () {
    const fits = (text: string) => /due-\d{10}/.test(text);
    const arm = () => {
      ledger.receiver.script(answer(500));
      killAt({ when: 'asks', fits }, wakeups);
    };
    const struck = await survive(this, { title: 'killed before wake-up', again: 0, arm });
    const second = ledger.receiver.requests.filter(
      ({ headers }) => headers['x-service-attempt'] === '2',
    );
    expect(second).to.have.length(struck);
  });
});
