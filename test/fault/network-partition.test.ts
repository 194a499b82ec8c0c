import { expect } from 'chai';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue, through } from '../support/queue-backends.js';
import type { WorkerProcess } from '../support/service.js';

const delayMs = 100;

describeOnQueues('R13: a network between a worker and its servers', (create) => {
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

  async function survive(
    title: string,
    injection: FaultInjection,
    gates: readonly TcpProxy[],
  ): Promise<void> {
    const injections = ['stall', 'slow'] as const;
    await stream.publishUntil(
      injection.repeat(async (injected) => {
        for (const gate of gates) {
          if (injections[injected % injections.length] === 'stall') gate.stall();
          else gate.slow(delayMs);
        }
        await injection.holdFault();
        for (const gate of gates) await gate.open();
      }),
    );

    await stream.close(title, { injected: injection.injected });
    expect(worker.running).to.equal(true);
  }

  it('loses nothing but time when the network drops packets to PostgreSQL or delays them', async function () {
    const injection = new FaultInjection('partition to PostgreSQL');
    this.timeout(injection.limitMs);
    await survive('a partition to PostgreSQL', injection, [proxy]);
  });

  it('accepts events without delay when the network drops packets to the queue', async function () {
    const injection = new FaultInjection('partition to the queue');
    this.timeout(injection.limitMs);
    await survive('a partition to the queue', injection, [queue.proxy]);
  });
});
