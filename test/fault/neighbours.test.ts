import { expect } from 'chai';
import { publishEvent } from '../../src/domain/event/publish.js';
import { answer, type Behaviour } from '../support/behaviours.js';
import { arrangeAccount, arrangeEndpoint, eventType } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { tell } from '../support/reckoning.js';

const hangingEndpoints = 400;
const hangingEvents = 4;

/** An event of another account arrives within this time; without trouble it takes some 10 ms. */
const soonMs = 3_000;

describeOnQueues('an account whose endpoints hang', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;
  /** Attempts at hanging receivers that have begun and ended. */
  const hung = { begun: 0, ended: 0 };

  const hang: Behaviour = (request) => {
    hung.begun += 1;
    request.socket.once('close', () => (hung.ended += 1));
  };

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue, { WEBHOOKS_TIMEOUT: '45s' });
    const { database, receiver } = ledger;
    receiver.choose(({ path }) => (path.startsWith('/hang') ? hang : answer(200)));
    const noisy = await arrangeAccount(database);
    for (let index = 0; index < hangingEndpoints; index += 1) {
      await arrangeEndpoint(database, noisy, `url = '${receiver.url(`/hang/${index}`)}'`);
    }
    const domain = await database.open();
    for (let index = 0; index < hangingEvents; index += 1) {
      await domain.transact((tx) =>
        publishEvent(tx, noisy, { type: eventType, subject: 's', data: {} }),
      );
    }
    await ledger.startWorker();
    await eventually(() => expect(hung.begun).to.be.at.least(40), 'many hang', 10_000);
  });
  after(async () => {
    // They are not asked to stop: they would wait for what hangs.
    await Promise.all(
      ledger.workers.filter(({ running }) => running).map((worker) => worker.end('SIGKILL')),
    );
    await ledger.drop();
    await queue.drop();
  });

  it('delays no other account: its events arrive before one of the attempts that hang has ended', async function () {
    const ordeal = new Ordeal('neighbours hang');
    this.timeout(ordeal.limitMs);
    const took: number[] = [];
    await ordeal.strike(async () => {
      const at = Date.now();
      const id = await ledger.publish();
      const arrived = () => {
        const found = ledger.receiver.requests.find(({ headers }) => headers['webhook-id'] === id);
        expect(found).to.not.equal(undefined);
        return found;
      };
      const request = await eventually(arrived, 'the event arrives', soonMs);
      took.push((request?.at ?? Infinity) - at);
      if (took.length <= ordeal.times) expect(hung.ended).to.equal(0);
    });
    tell(`${hangingEndpoints} endpoints of another account hang`, queue, {
      ...{ events: took.length, hung: hung.begun, slowest_ms: Math.max(...took) },
    });
  });
});
