import { expect } from 'chai';
import { after as afterMs, answer, type Behaviour } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { seededRandom } from '../support/random.js';
import type { ReceivedRequest } from '../support/receiver.js';

const workers = 3;
const subjects = ['cart:1', 'cart:2', 'cart:3', 'cart:4'];

interface Envelope {
  readonly id: string;
  readonly subject: string;
}

describeOnQueues('an endpoint with order, while workers are killed', function (create) {
  let queue: TestQueue;
  let stream: EventStream;
  /** Requests that broke the order, as they came. */
  let breaches: string[];

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue, {
      WEBHOOKS_RETRY_SCHEDULE: Array(9).fill('100ms').join(),
    });
    await stream.database.query(`update endpoint set ordering = 'subject'`);
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  it('H287, H288: no event overtakes another of its subject, two never run at once, and nothing is stuck', async function () {
    const injection = new FaultInjection('worker killed');
    this.timeout(injection.limitMs);

    const { seed, random } = seededRandom();
    const published = new Map<string, string[]>(subjects.map((subject) => [subject, []]));
    const begun = new Set<string>();
    const accepted = new Set<string>();
    const inFlight = new Map<string, Set<string>>(subjects.map((subject) => [subject, new Set()]));
    breaches = [];

    const check = ({ body }: ReceivedRequest): Behaviour => {
      const { id, subject } = JSON.parse(body.toString()) as Envelope;
      const running = inFlight.get(subject) ?? new Set();
      const earlier = published.get(subject) ?? [];
      // It may arrive before its publish is answered.
      const place = earlier.includes(id) ? earlier.indexOf(id) : earlier.length;
      for (const other of running) if (other !== id) breaches.push(`${id} beside ${other}`);
      for (const [index, other] of earlier.entries()) {
        if (index < place && !accepted.has(other)) breaches.push(`${id} before ${other}`);
        if (index > place && begun.has(other)) breaches.push(`${id} again after ${other}`);
      }

      begun.add(id);
      running.add(id);
      const fails = random.boolean(0.2);
      const respond = afterMs(5, (incoming, response) => {
        if (!fails) accepted.add(id);
        running.delete(id);
        return answer(fails ? 500 : 200)(incoming, response);
      });
      return (incoming, response) => {
        // A worker that is killed takes its request with it.
        response.once('close', () => running.delete(id));
        return respond(incoming, response);
      };
    };
    stream.receiver.choose(check);

    await Promise.all(Array.from({ length: workers }, () => stream.startWorker()));
    const starting: Promise<unknown>[] = [];
    const going = { on: true };

    const publishing = (async () => {
      const enough = () => [...published.values()].every((ids) => ids.length > 3);
      while (going.on || !enough()) {
        const subject = random.pick(subjects);
        published.get(subject)?.push(await stream.publish(subject));
      }
    })();

    await injection.repeat(async () => {
      const alive = await eventually(() => {
        const running = stream.workers.filter((worker) => worker.running);
        expect(running).not.to.deep.equal([]);
        return running;
      }, 'a worker is there to be killed');
      await random.pick(alive).end('SIGKILL');
      starting.push(stream.startWorker());
    });

    going.on = false;
    await publishing;
    await Promise.all(starting);

    const { injected } = injection;
    await stream.close('kill -9 of a worker at an ordered endpoint', { injected, seed });
    expect(breaches).to.deep.equal([]);
    for (const [subject, ids] of published) expect(ids, subject).to.have.lengthOf.above(3);
    expect(await stream.database.query('select 1 from pending_delivery')).to.deep.equal([]);
  });
});
