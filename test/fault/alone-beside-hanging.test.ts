import { expect } from 'chai';
import { atIntervals } from '../support/at-intervals.js';
import { answer, type Behaviour } from '../support/behaviours.js';
import { arrangeEndpoint } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { tell } from '../support/reckoning.js';

/** Attempts at an endpoint that has answered nothing, per worker. */
const first = 2;

describeOnQueues('a chain that is to run alone, while receivers hang', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;
  const hung = { begun: 0, ended: 0 };
  const hang: Behaviour = (request) => {
    hung.begun += 1;
    request.socket.once('close', () => (hung.ended += 1));
  };

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue, { WEBHOOKS_TIMEOUT: '30s' });
    ledger.receiver.choose(({ path }) => (path === '/hang' ? hang : answer(200)));
  });
  after(async () => {
    // They are not asked to stop: they would wait for what hangs.
    await Promise.all(ledger.workers.map((worker) => worker.end('SIGKILL')));
    await ledger.drop();
    await queue.drop();
  });

  it('holds one worker of two: the other sends what is published meanwhile', async function () {
    this.timeout(60_000);
    const { database, account, receiver } = ledger;
    const url = `url = '${receiver.url('/hang')}'`;
    const hanging = await arrangeEndpoint(database, account, url);
    await Promise.all([ledger.startWorker(), ledger.startWorker()]);
    await Promise.all(Array.from({ length: 3 * first }, () => ledger.publish()));
    const both = 2 * first;
    await eventually(() => expect(hung.begun).to.equal(both), 'attempts of both workers hang');
    await database.query('update chain set lane = $1 where endpoint_id = $2 and ready', [
      'alone',
      hanging,
    ]);
    await eventually(async () => {
      const [row] = await database.query<{ holder: string | null }>('select holder from solitude');
      expect(row?.holder).not.to.equal(null);
    }, 'a worker waits for its turn to be alone');
    const before = receiver.requests.length;
    // For several rounds of either worker's sweep.
    const events = 40;
    for await (const sent of atIntervals(100, { events: 0 })) {
      await ledger.publish();
      sent.events += 1;
      const all = before + sent.events;
      await eventually(() => expect(receiver.requests.length).to.equal(all), 'it arrived');
      if (sent.events === events) break;
    }
    expect(hung).to.deep.equal({ begun: both, ended: 0 });
    tell('a chain is to run alone beside what hangs', queue, { events, lost: 0 });
  });
});
