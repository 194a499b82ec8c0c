import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { createGate, type Gate } from '../support/gate.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, type TestQueue, through } from '../support/queue-backends.js';
import type { WorkerProcess } from '../support/worker.js';

describeOnQueues('a worker that loses its database', (create) => {
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

  it('loses nothing when every connection breaks again and again', async function () {
    const ordeal = new Ordeal('connections to PostgreSQL cut');
    this.timeout(ordeal.limitMs);
    await ledger.publishUntil(ordeal.strike(() => gate.cut()));
    await ledger.close('connections to PostgreSQL cut', { struck: ordeal.struck });
    expect(worker.running).to.equal(true);
  });

  it('says that it is not ready while the database is away, and goes on by itself', async function () {
    this.timeout(60_000);
    await gate.shut();
    for (let index = 0; index < 20; index += 1) await ledger.publish();
    await eventually(async () => {
      const response = await fetch(`${worker.healthUrl}/readyz`);
      expect(response.status).to.equal(503);
      expect(await response.json()).to.have.nested.property('dependencies.postgresql', 'away');
    }, 'it is not ready');
    expect((await fetch(`${worker.healthUrl}/livez`)).status).to.equal(200);
    await gate.open();
    await ledger.close('PostgreSQL away');
    expect((await fetch(`${worker.healthUrl}/readyz`)).status).to.equal(200);
    expect(worker.running).to.equal(true);
  });
});
