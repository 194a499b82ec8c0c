import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, onPostgres, type TestQueue } from '../support/queue-backends.js';
import type { WorkerProcess } from '../support/service.js';

describeOnQueues('R6: the queue', (create) => {
  let queue: TestQueue;
  let stream: EventStream;
  let worker: WorkerProcess;

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue);
    worker = await stream.startWorker();
  });

  after(async () => {
    await stream.drop();
    await queue.drop();
  });

  /** Workers still take wake-ups: none waits. */
  const isReceived = () =>
    eventually(async () => {
      await stream.publish();
      expect(await queue.waiting()).to.equal(0);
      expect(worker.running).to.equal(true);
    }, 'the worker takes wake-ups');

  it('may be unreachable and come back empty: events are accepted and delivered meanwhile', async function () {
    const injection = new FaultInjection('queue restarted empty');
    this.timeout(injection.limitMs);

    await stream.publishUntil(
      injection.repeat(() =>
        queue.restartEmpty(async () => {
          // All are accepted before the queue is back.
          for (let index = 0; index < 20; index += 1) await stream.publish();
          await injection.holdFault();
        }),
      ),
    );

    const { injected } = injection;
    const { duplicates } = await stream.close('the queue restarted empty', { injected });
    expect(duplicates).to.equal(0);
    await isReceived();
  });

  it('may break every connection: nothing is lost and wake-ups continue', async function () {
    const injection = new FaultInjection('queue connections killed');
    this.timeout(injection.limitMs);
    await stream.publishUntil(injection.repeat(() => queue.killConnections()));
    const { injected } = injection;
    const { duplicates } = await stream.close('connections to the queue killed', { injected });
    expect(duplicates).to.equal(0);
    await isReceived();
  });
});

describe('R6: a PostgreSQL that takes neither signals nor jobs', () => {
  it('is not needed for them: the poller finds and counts deliveries without a wake-up', async () => {
    const queue = await onPostgres();
    const stream = await openEventStream(queue);
    try {
      const worker = await stream.startWorker();
      await queue.proxy.refuse();

      await eventually(async () => {
        await stream.publish();
        await stream.close('no wake-up');
        const metrics = await (await fetch(`${worker.healthUrl}/metrics`)).text();
        expect(metrics).to.match(/signalpost_poll_finds_total\{found="missed"\} [1-9]/);
      }, 'the find is counted');

      await queue.proxy.open();
    } finally {
      await stream.drop();
      await queue.drop();
    }
  });
});
