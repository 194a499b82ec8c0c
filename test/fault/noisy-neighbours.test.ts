import { expect } from 'chai';
import { publishEvent } from '../../src/domain/event/publish.js';
import { answer, type Behaviour } from '../support/behaviours.js';
import { insertAccount, insertEndpoint, eventType } from '../support/engine.js';
import { eventually, atIntervals } from '../support/eventually.js';
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
    // Killed, because they would wait for the hanging attempts.
    await Promise.all(
      stream.workers.filter(({ running }) => running).map((worker) => worker.end('SIGKILL')),
    );
    await stream.drop();
    await queue.drop();
  });

  it('the events of other accounts arrive before the first hanging attempt ends', async function () {
    const injection = new FaultInjection('neighbours hang');
    this.timeout(injection.limitMs);

    const took: number[] = [];
    await injection.repeat(async () => {
      const at = Date.now();
      const id = await stream.publish();
      const arrived = () => {
        const arrival = stream.receiver.requests.find(
          ({ headers }) => headers['webhook-id'] === id,
        );
        expect(arrival).to.not.equal(undefined);
        return arrival;
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

/** Attempts at an endpoint that has answered nothing, per worker. */
const first = 2;

describeOnQueues('an isolated delivery while receivers hang', (create) => {
  let queue: TestQueue;
  let stream: EventStream;
  const hung = { begun: 0, ended: 0 };
  const hang: Behaviour = (request) => {
    hung.begun += 1;
    request.socket.once('close', () => (hung.ended += 1));
  };

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue, { WEBHOOKS_TIMEOUT: '30s' });
    stream.receiver.choose(({ path }) => (path === '/hang' ? hang : answer(200)));
  });

  after(async () => {
    // Killed, because they would wait for the hanging attempts.
    await Promise.all(stream.workers.map((worker) => worker.end('SIGKILL')));
    await stream.drop();
    await queue.drop();
  });

  it('an isolated delivery stops one worker of two, and the other sends events that are published meanwhile', async function () {
    const { database, account, receiver } = stream;
    const url = `url = '${receiver.url('/hang')}'`;
    const hanging = await insertEndpoint(database, account, url);

    await Promise.all([stream.startWorker(), stream.startWorker()]);
    await Promise.all(Array.from({ length: 3 * first }, () => stream.publish()));

    const both = 2 * first;
    await eventually(() => expect(hung.begun).to.equal(both), 'attempts of both workers hang');

    await database.query('update pending_delivery set lane = $1 where endpoint_id = $2 and ready', [
      'isolated',
      hanging,
    ]);

    await eventually(async () => {
      const [row] = await database.query<{ holder: string | null }>(
        'select holder from isolation_lock',
      );
      expect(row?.holder).not.to.equal(null);
    }, 'a worker waits for its turn to be alone');

    const before = receiver.requests.length;

    // For several polls of either worker.
    const events = 40;
    for await (const sent of atIntervals(100, { events: 0 })) {
      await stream.publish();
      sent.events += 1;
      const all = before + sent.events;
      await eventually(() => expect(receiver.requests.length).to.equal(all), 'it arrived');
      if (sent.events === events) break;
    }

    expect(hung).to.deep.equal({ begun: both, ended: 0 });
    report('a pending delivery is to run alone beside what hangs', queue, { events, lost: 0 });
  });
});
