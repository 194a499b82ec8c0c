import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue, through } from '../support/queue-backends.js';
import type { WorkerProcess } from '../support/service.js';

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

  it('is not ready while the database is unreachable, and recovers without a restart', async function () {
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
