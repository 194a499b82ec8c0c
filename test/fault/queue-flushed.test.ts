import { expect } from 'chai';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

describeOnQueues('R5: the queue flushed repeatedly', (create) => {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue);
    await stream.startWorker();
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  it('loses nothing and repeats nothing', async function () {
    const injection = new FaultInjection('queue flushed');
    this.timeout(injection.limitMs);
    await stream.publishUntil(injection.repeat(() => queue.flush()));
    const { injected } = injection;
    const { duplicates } = await stream.close('the queue flushed', { injected });
    expect(duplicates).to.equal(0);
  });
});
