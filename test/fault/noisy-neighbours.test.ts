import { expect } from 'chai';
import { publishEvent } from '../../src/domain/event/publish.js';
import { answer, type Behaviour } from '../support/behaviours.js';
import { insertAccount, insertEndpoint, eventType } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { report } from '../support/reconciliation.js';

const hangingEndpoints = 400;
const hangingEvents = 4;

/** An event of another account arrives within this time; without trouble it takes some 10 ms. */
const retryMs = 3_000;

describeOnQueues('an account whose endpoints hang', (create) => {
  let queue: TestQueue;
  let stream: EventStream;

  /** Attempts at hanging receivers that have begun and ended. */
  const hung = { begun: 0, ended: 0 };

  const hang: Behaviour = (request) => {
    hung.begun += 1;
    request.socket.once('close', () => (hung.ended += 1));
  };

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue, { WEBHOOKS_TIMEOUT: '45s' });

    const { database, receiver } = stream;
    receiver.choose(({ path }) => (path.startsWith('/hang') ? hang : answer(200)));

    const noisy = await insertAccount(database);
    for (let index = 0; index < hangingEndpoints; index += 1) {
      await insertEndpoint(database, noisy, `url = '${receiver.url(`/hang/${index}`)}'`);
    }

    const domain = await database.open();
    for (let index = 0; index < hangingEvents; index += 1) {
      await domain.transact((tx) =>
        publishEvent(tx, noisy, { type: eventType, subject: 's', data: {} }),
      );
    }

    await stream.startWorker();
    await eventually(() => expect(hung.begun).to.be.at.least(40), 'many hang');
  });

  after(async () => {
    // They are not asked to stop: they would wait for what hangs.
    await Promise.all(
      stream.workers.filter(({ running }) => running).map((worker) => worker.end('SIGKILL')),
    );
    await stream.drop();
    await queue.drop();
  });

  it('delays no other account: its events arrive before the first hanging attempt ends', async function () {
    const injection = new FaultInjection('neighbours hang');
    this.timeout(injection.limitMs);

    const took: number[] = [];
    await injection.repeat(async () => {
      const at = Date.now();
      const id = await stream.publish();
      const arrived = () => {
        const found = stream.receiver.requests.find(({ headers }) => headers['webhook-id'] === id);
        expect(found).to.not.equal(undefined);
        return found;
      };
      const request = await eventually(arrived, 'the event arrives', retryMs);
      took.push((request?.at ?? Infinity) - at);
      if (took.length <= injection.times) expect(hung.ended).to.equal(0);
    });

    report(`${hangingEndpoints} endpoints of another account hang`, queue, {
      events: took.length,
      hung: hung.begun,
      slowest_ms: Math.max(...took),
    });
  });
});
