import { expect } from 'chai';
import { after as later, answer } from '../support/behaviours.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

describeOnQueues('a worker stopped again and again', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue);
  });
  after(async () => {
    await ledger.drop();
    await queue.drop();
  });

  it('finishes what it has begun: nothing is lost and nothing sent twice', async function () {
    this.timeout(60_000);
    ledger.receiver.always(later(200, answer(200)));
    const stopping = async () => {
      for (let round = 0; round < 3; round += 1) {
        const worker = await ledger.startWorker();
        const before = ledger.receiver.requests.length;
        await ledger.receiver.next(() => ledger.receiver.requests.length > before);
        expect(await worker.end('SIGTERM')).to.equal(0);
      }
    };
    await ledger.publishUntil(stopping());
    await ledger.startWorker();
    const { duplicates } = await ledger.close('SIGTERM of a worker');
    expect(duplicates).to.equal(0);
  });
});
