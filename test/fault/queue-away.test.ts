import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import type { WorkerProcess } from '../support/worker.js';

describeOnQueues('R6: the queue', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;
  let worker: WorkerProcess;

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue);
    worker = await ledger.startWorker();
  });
  after(async () => {
    await ledger.drop();
    await queue.drop();
  });

  /** Somebody still takes wake-ups: none that is sent waits. */
  const isHeard = () =>
    eventually(async () => {
      await ledger.publish();
      expect(await queue.waiting()).to.equal(0);
      expect(worker.running).to.equal(true);
    }, 'the worker takes wake-ups');

  it('may be away and come back empty: events are taken and delivered meanwhile', async function () {
    const ordeal = new Ordeal('queue restarted empty');
    this.timeout(ordeal.limitMs);
    await ledger.publishUntil(
      ordeal.strike(() =>
        queue.restartEmpty(async () => {
          const began = performance.now();
          for (let index = 0; index < 20; index += 1) await ledger.publish();
          expect(performance.now() - began).to.be.lessThan(5_000);
          await ordeal.last();
        }),
      ),
    );
    const { struck } = ordeal;
    const { duplicates } = await ledger.close('the queue restarted empty', { struck });
    expect(duplicates).to.equal(0);
    await isHeard();
  });

  it('may break every connection: nothing is lost and wake-ups go on', async function () {
    const ordeal = new Ordeal('queue connections killed');
    this.timeout(ordeal.limitMs);
    await ledger.publishUntil(ordeal.strike(() => queue.killConnections()));
    const { struck } = ordeal;
    const { duplicates } = await ledger.close('connections to the queue killed', { struck });
    expect(duplicates).to.equal(0);
    await isHeard();
  });

  it('is not needed: what nobody was woken for is found by the sweep, and counted', async () => {
    await queue.gate.shut();
    await eventually(async () => {
      await ledger.publish();
      await ledger.close('no wake-up');
      const metrics = await (await fetch(`${worker.healthUrl}/metrics`)).text();
      expect(metrics).to.match(/signalpost_sweep_finds_total\{found="missed"\} [1-9]/);
    }, 'the find is counted');
    await queue.gate.open();
  });
});
