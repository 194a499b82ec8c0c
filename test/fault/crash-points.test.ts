import { expect } from 'chai';
import { answer, type Behaviour } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { describeOnQueues, through, type TestQueue } from '../support/queue-backends.js';
import { createTripwire, type Moment, type Tripwire } from '../support/tripwire.js';

describeOnQueues('R4: a worker killed at one point of a delivery', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;
  let postgres: Tripwire;
  let wakeups: Tripwire;

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
  const killVictim = () => void ledger.workers[0]?.end('SIGKILL');
  const killedAt = (moment: Moment, wire = postgres) => {
    wire.arm(moment, killVictim);
    return Promise.resolve();
  };

  async function survive(title: string): Promise<number> {
    const victim = await startVictim();
    await ledger.publish();
    await eventually(() => expect(victim.running).to.equal(false), 'the worker was killed');
    await ledger.publish();
    await ledger.endLeases();
    await ledger.startWorker();
    return (await ledger.close(title)).duplicates;
  }

  it('after claim: nothing was sent', async () => {
    await killedAt({ when: 'hears', fits: (text) => text.includes(ledger.receiver.url('/hook')) });
    expect(await survive('killed after claim')).to.equal(0);
  });

  it('after send: it is sent again', async () => {
    const dies: Behaviour = () => killVictim();
    ledger.receiver.script(dies);
    expect(await survive('killed after send')).to.equal(1);
  });

  it('after answer: it is sent again', async () => {
    await killedAt({ when: 'asks', fits: (text) => text.includes('settle_accepted') });
    expect(await survive('killed after answer')).to.equal(1);
  });

  it('after settle: it is not sent again', async () => {
    await killedAt({
      when: 'hears',
      fits: (text, before) => text.includes('COMMIT\0') && before.includes('settle_accepted'),
    });
    expect(await survive('killed after settle')).to.equal(0);
  });

  it('before wake-up: the retry comes all the same', async () => {
    ledger.receiver.script(answer(500));
    await killedAt({ when: 'asks', fits: (text) => /due-\d{10}/.test(text) }, wakeups);
    expect(await survive('killed before wake-up')).to.equal(0);
    const second = ledger.receiver.requests.filter(
      ({ headers }) => headers['x-service-attempt'] === '2',
    );
    expect(second).to.have.length(1);
  });
});
