import { expect } from 'chai';
import { createGate, type Gate } from '../support/gate.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, type TestQueue, through } from '../support/queue-backends.js';
import type { WorkerProcess } from '../support/worker.js';

const delayMs = 100;

describeOnQueues('R13: a network between a worker and its servers', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;
  let gate: Gate;
  let worker: WorkerProcess;

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue);
    gate = await createGate(Number(new URL(ledger.database.url).port));
    worker = await ledger.startWorker({ DATABASE_URL: through(gate, ledger.database.url) });
  });
  after(async () => {
    await ledger.drop();
    await gate.close();
    await queue.drop();
  });

  async function survive(title: string, ordeal: Ordeal, gates: readonly Gate[]): Promise<void> {
    const blows = ['stall', 'slow'] as const;
    await ledger.publishUntil(
      ordeal.strike(async (struck) => {
        for (const each of gates) {
          if (blows[struck % blows.length] === 'stall') each.stall();
          else each.slow(delayMs);
        }
        await ordeal.last();
        for (const each of gates) await each.open();
      }),
    );
    await ledger.close(title, { struck: ordeal.struck });
    expect(worker.running).to.equal(true);
  }

  it('that swallows what is sent to PostgreSQL, or is slow, costs time only', async function () {
    const ordeal = new Ordeal('partition to PostgreSQL');
    this.timeout(ordeal.limitMs);
    await survive('a partition to PostgreSQL', ordeal, [gate]);
  });

  it('that swallows what is sent to the queue neither stops nor delays accepting', async function () {
    const ordeal = new Ordeal('partition to the queue');
    this.timeout(ordeal.limitMs);
    await survive('a partition to the queue', ordeal, [queue.gate]);
  });
});
