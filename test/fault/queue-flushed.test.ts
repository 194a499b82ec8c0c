import { expect } from 'chai';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

describeOnQueues('R5: the queue flushed again and again', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue);
    await ledger.startWorker();
  });
  after(async () => {
    await ledger.drop();
    await queue.drop();
  });

  it('loses nothing and repeats nothing', async function () {
    const ordeal = new Ordeal('queue flushed');
    this.timeout(ordeal.limitMs);
    await ledger.publishUntil(ordeal.strike(() => queue.flush()));
    const { struck } = ordeal;
    const { duplicates } = await ledger.close('the queue flushed', { struck });
    expect(duplicates).to.equal(0);
  });
});
