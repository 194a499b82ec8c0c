import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { describeOnQueues, through, type TestQueue } from '../support/queue-backends.js';
import { createTripwire, type Tripwire } from '../support/tripwire.js';

describeOnQueues('R8: the answer of a claim that gets lost', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;
  let postgres: Tripwire;

  before(async () => {
    queue = await create();
  });
  after(() => queue.drop());
  beforeEach(async () => {
    ledger = await openLedger(queue);
    postgres = await createTripwire(Number(new URL(ledger.database.url).port));
  });
  afterEach(async () => {
    await ledger.drop();
    await postgres.close();
  });

  it('costs no lease and no interruption: what was claimed is given back and sent', async () => {
    let struck = false;
    const fits = (text: string) => text.includes(ledger.receiver.url('/hook'));
    postgres.arm({ when: 'hears', fits }, () => (struck = true));
    const worker = await ledger.startWorker({
      DATABASE_URL: through(postgres, ledger.database.url),
      // Leases outlive this test, so that none is ended by the sweep.
      WEBHOOKS_TIMEOUT: '60s',
    });
    await ledger.publish();
    await eventually(() => expect(struck).to.equal(true), 'the answer got lost');
    const { duplicates } = await ledger.close('answer of a claim lost');
    expect(duplicates).to.equal(0);
    const metrics = await (await fetch(`${worker.healthUrl}/metrics`)).text();
    expect(metrics).to.match(/signalpost_sweep_finds_total\{found="unheard"\} 1/);
    expect(metrics).not.to.match(/found="interrupted"/);
  });
});
