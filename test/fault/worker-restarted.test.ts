import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';

/** Attempts in flight per endpoint, by default. */
const cap = 20;

describeOnQueues('a worker that restarts', (create) => {
  let queue: TestQueue;
  let stream: EventStream;

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue, { WEBHOOKS_TIMEOUT: '30s' });
  });

  after(async () => {
    await Promise.all(
      stream.workers.filter(({ running }) => running).map((worker) => worker.end('SIGKILL')),
    );
    await stream.drop();
    await queue.drop();
  });

  it('gives an endpoint that responded before the restart all its slots at once', async () => {
    const { receiver } = stream;
    receiver.always(answer(200));

    const worker = await stream.startWorker();
    for (let count = 0; count < 2 * cap; count += 1) await stream.publish();

    await eventually(async () => {
      const records = await stream.database.query('select id from delivery');
      expect(records).to.have.length(2 * cap);
    }, 'everything is recorded');

    await worker.end();

    const open = { begun: 0, ended: 0 };
    receiver.always((request) => {
      open.begun += 1;
      request.socket.once('close', () => (open.ended += 1));
    });

    for (let count = 0; count < 2 * cap; count += 1) await stream.publish();
    await stream.startWorker();
    await eventually(() => expect(open.begun).to.equal(cap), 'it has all of its slots');
    expect(open.ended).to.equal(0);
  });
});
