import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { seededChance } from '../support/seeded-chance.js';

const concurrency = 50;
const workers = 3;

describeOnQueues('R1: a random worker of three killed again and again', function (create) {
  let queue: TestQueue;
  let ledger: Ledger;

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue, { WORKER_CONCURRENCY: String(concurrency) });
  });
  after(async () => {
    await ledger.drop();
    await queue.drop();
  });

  it('loses nothing and sends again at most what was in flight', async function () {
    const ordeal = new Ordeal('worker killed');
    this.timeout(ordeal.limitMs);
    const { seed, chance } = seededChance();
    await Promise.all(Array.from({ length: workers }, () => ledger.startWorker()));
    const starting: Promise<unknown>[] = [];
    let inFlight = 0;
    const someAlive = () => {
      const alive = ledger.workers.filter(({ running }) => running);
      expect(alive).not.to.deep.equal([]);
      return alive;
    };
    await ledger.publishUntil(
      ordeal.strike(async () => {
        const alive = await eventually(someAlive, 'a worker is there to be killed', 60_000);
        if (alive.length > 0) await chance.oneOf(alive).end('SIGKILL');
        // After it, so that nothing was claimed since; what others hold is counted too.
        const leased = await ledger.database.query(
          'select from chain where lease_token is not null',
        );
        inFlight += leased.length;
        starting.push(ledger.startWorker());
      }),
    );
    await Promise.all(starting);
    const { struck } = ordeal;
    const { acked, duplicates } = await ledger.close('kill -9 of a worker', { struck, seed });
    expect(acked).to.be.greaterThan(20);
    expect(duplicates).to.be.at.most(inFlight);
  });
});
