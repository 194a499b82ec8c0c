import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { describeOnQueues, type TestQueue, through } from '../support/queue-backends.js';
import { fetch } from 'undici';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { FaultInjection } from '../support/fault-injection.js';
import type { WorkerProcess } from '../support/service.js';

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

describeOnQueues('a worker that loses its database', (create) => {
  let queue: TestQueue;
  let stream: EventStream;
  let proxy: TcpProxy;
  let worker: WorkerProcess;

  before(async () => {
    queue = await create();
    stream = await openEventStream(queue);
    proxy = await createTcpProxy(Number(new URL(stream.database.url).port));
    worker = await stream.startWorker({ DATABASE_URL: through(proxy, stream.database.url) });
  });

  after(async () => {
    await stream.drop();
    await proxy.close();
    await queue.drop();
  });

  it('loses nothing when every connection breaks repeatedly', async function () {
    const injection = new FaultInjection('connections to PostgreSQL cut');
    this.timeout(injection.limitMs);
    await stream.publishUntil(injection.repeat(() => proxy.cut()));
    await stream.close('connections to PostgreSQL cut', { injected: injection.injected });
    expect(worker.running).to.equal(true);
  });

  it('the worker is not ready while the database is unreachable, and recovers without a restart', async function () {
    await proxy.refuse();
    for (let index = 0; index < 20; index += 1) await stream.publish();
    await eventually(async () => {
      const response = await fetch(`${worker.healthUrl}/readyz`);
      expect(response.status).to.equal(503);
      expect(await response.json()).to.have.nested.property('dependencies.postgresql', 'away');
    }, 'it is not ready');
    expect((await fetch(`${worker.healthUrl}/livez`)).status).to.equal(200);
    await proxy.open();
    await stream.close('PostgreSQL away');
    expect((await fetch(`${worker.healthUrl}/readyz`)).status).to.equal(200);
    expect(worker.running).to.equal(true);
  });
});
