import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { seededRandom } from '../support/random.js';

const concurrency = 50;
const workers = 3;

describeOnQueues('R1: a random worker of three killed repeatedly', function (create) {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue, { WORKER_CONCURRENCY: String(concurrency) });
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  it('loses nothing, and repeats at most the deliveries in flight', async function () {
    const injection = new FaultInjection('worker killed');
    this.timeout(injection.limitMs);

    const { seed, random } = seededRandom();
    await Promise.all(Array.from({ length: workers }, () => stream.startWorker()));

    const starting: Promise<unknown>[] = [];
    let inFlight = 0;
    const someAlive = () => {
      const alive = stream.workers.filter(({ running }) => running);
      expect(alive).not.to.deep.equal([]);
      return alive;
    };

    await stream.publishUntil(
      injection.repeat(async () => {
        const alive = await eventually(someAlive, 'a worker is there to be killed');
        if (alive.length > 0) await random.pick(alive).end('SIGKILL');
        // Counted after the kill, when it claims nothing more. The claims of other workers count, too.
        const leased = await stream.database.query(
          'select from pending_delivery where lease_token is not null',
        );
        inFlight += leased.length;
        starting.push(stream.startWorker());
      }),
    );

    await Promise.all(starting);

    const { injected } = injection;
    const { acked, duplicates } = await stream.close('kill -9 of a worker', { injected, seed });
    expect(acked).to.be.greaterThan(5 * injected);
    expect(duplicates).to.be.at.most(inFlight);
  });
});
