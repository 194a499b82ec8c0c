import { expect } from 'chai';
import { atIntervals } from '../support/at-intervals.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

const kills = 4;
const concurrency = 50;

describeOnQueues('a worker killed again and again', function (create) {
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
    this.timeout(60_000);
    await Promise.all([ledger.startWorker(), ledger.startWorker()]);
    const killing = async () => {
      const starting: Promise<unknown>[] = [];
      for await (const running of atIntervals(500, ledger.workers)) {
        const victim = running.find((worker) => worker.running);
        if (!victim) continue;
        await victim.end('SIGKILL');
        starting.push(ledger.startWorker());
        if (starting.length === kills) break;
      }
      await Promise.all(starting);
    };
    await ledger.publishUntil(killing());
    const { acked, duplicates } = await ledger.close('kill -9 of a worker');
    expect(acked).to.be.greaterThan(100);
    expect(duplicates).to.be.at.most(kills * concurrency);
  });
});
