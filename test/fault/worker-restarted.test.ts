import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

/** Attempts in flight per endpoint, by default. */
const cap = 20;

describeOnQueues('a worker that starts again', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue, { WEBHOOKS_TIMEOUT: '30s' });
  });
  after(async () => {
    await Promise.all(
      ledger.workers.filter(({ running }) => running).map((worker) => worker.end('SIGKILL')),
    );
    await ledger.drop();
    await queue.drop();
  });

  it('gives an endpoint that answered before all of its slots before it answers again', async () => {
    const { receiver } = ledger;
    receiver.always(answer(200));
    const worker = await ledger.startWorker();
    for (let count = 0; count < 2 * cap; count += 1) await ledger.publish();
    await eventually(async () => {
      const records = await ledger.database.query('select id from delivery');
      expect(records).to.have.length(2 * cap);
    }, 'everything is recorded');
    await worker.end();
    const open = { begun: 0, ended: 0 };
    receiver.always((request) => {
      open.begun += 1;
      request.socket.once('close', () => (open.ended += 1));
    });
    for (let count = 0; count < 2 * cap; count += 1) await ledger.publish();
    await ledger.startWorker();
    await eventually(() => expect(open.begun).to.equal(cap), 'it has all of its slots');
    expect(open.ended).to.equal(0);
  });
});
