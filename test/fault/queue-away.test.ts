import { expect } from 'chai';
import { fetch } from 'undici';
import { atIntervals } from '../support/at-intervals.js';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

describeOnQueues('the queue', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;

  before(async function () {
    this.timeout(30_000);
    queue = await create();
    ledger = await openLedger(queue);
    await ledger.startWorker();
  });
  after(async () => {
    await ledger.drop();
    await queue.drop();
  });

  it('may be flushed while events flow: nothing is lost', async function () {
    this.timeout(60_000);
    const flushing = async () => {
      let count = 0;
      for await (const flushed of atIntervals(300, queue)) {
        await flushed.flush();
        count += 1;
        if (count === 8) return;
      }
    };
    await ledger.publishUntil(flushing());
    const { duplicates } = await ledger.close('a flushed queue');
    expect(duplicates).to.equal(0);
  });

  it('may be away: events are taken at once and delivered meanwhile', async function () {
    this.timeout(60_000);
    await queue.gate.shut();
    const began = performance.now();
    for (let index = 0; index < 20; index += 1) await ledger.publish();
    expect(performance.now() - began).to.be.lessThan(2_000);
    await ledger.close('an absent queue');
    await queue.gate.open();
    for (let index = 0; index < 20; index += 1) await ledger.publish();
    const { duplicates } = await ledger.close('the queue is back');
    expect(duplicates).to.equal(0);
  });

  it('is not needed: what nobody was woken for is found by the sweep, and counted', async () => {
    await queue.gate.shut();
    await eventually(async () => {
      await ledger.publish();
      await ledger.close('no wake-up');
      const metrics = await (await fetch(`${ledger.workers[0]!.healthUrl}/metrics`)).text();
      expect(metrics).to.match(/signalpost_sweep_finds_total\{found="missed"\} [1-9]/);
    }, 'the find is counted');
    await queue.gate.open();
  });
});
