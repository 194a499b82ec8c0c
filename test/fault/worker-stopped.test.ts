import { expect } from 'chai';
import { fetch } from 'undici';
import { answer, type Behaviour } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

describeOnQueues('R3: a worker stopped repeatedly', (create) => {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue, { WEBHOOKS_TIMEOUT: '15s' });
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  /** Starts a worker and stops it in the middle of attempts, which end when it says it is leaving. */
  async function stopWithin(): Promise<void> {
    const { receiver } = stream;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow: Behaviour = async (request, response) => {
      await finished;
      await answer(200)(request, response);
    };

    receiver.always(slow);

    const before = receiver.requests.length;
    const worker = await stream.startWorker();

    await eventually(() => {
      expect(receiver.requests.length).to.be.greaterThan(before);
    }, 'attempts are under way');

    const ended = worker.end('SIGTERM');
    await eventually(async () => {
      expect((await fetch(`${worker.healthUrl}/readyz`)).status).to.equal(503);
    }, 'it is not ready while it finishes');
    finish();
    expect(await ended, 'exit code').to.equal(0);
  }

  it('finishes its current work, loses nothing and sends nothing twice', async function () {
    const injection = new FaultInjection('worker stopped');
    this.timeout(injection.limitMs);
    await stream.publishUntil(injection.repeat(stopWithin));
    stream.receiver.always(answer(200));
    await stream.startWorker();
    // What was published while no worker was there waits for this one.
    const options = { injected: injection.injected, limitMs: 120_000 };
    const { duplicates } = await stream.close('SIGTERM of a worker', options);
    expect(duplicates).to.equal(0);
  });
});
