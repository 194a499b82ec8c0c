import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { redisMissing, type RedisServer, startRedis } from '../support/redis.js';
import { type Service, startService, type WorkerProcess } from '../support/service.js';

describeOnQueues('R7: a queue without memory', (create) => {
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

  it('events are accepted and delivered while the queue refuses wake-ups, and no worker needs a restart', async function () {
    const injection = new FaultInjection('queue full');
    this.timeout(injection.limitMs);

    const { receiver } = stream;
    await stream.publishUntil(
      injection.repeat(async () => {
        await queue.fill();
        const before = receiver.requests.length;
        await injection.holdFault();
        await eventually(() => {
          expect(receiver.requests.length).to.be.greaterThan(before + 20);
        }, 'deliveries go on');
        await queue.makeRoom();
      }),
    );

    const { injected } = injection;
    const { duplicates } = await stream.close('the queue out of memory', { injected });
    expect(duplicates).to.equal(0);

    await eventually(async () => {
      await stream.publish();
      expect(await queue.waiting()).to.equal(0);
    }, 'the worker takes wake-ups again');

    expect(worker.running).to.equal(true);
  });
});

describe('R7: a Redis that evicts', function () {
  if (redisMissing !== undefined) {
    it(redisMissing);
    return;
  }

  let redis: RedisServer;
  let service: Service;

  before(async () => {
    redis = await startRedis(undefined, { 'maxmemory-policy': 'allkeys-lru' });
    service = await startService({ environment: { REDIS_URL: redis.url } });
  });

  after(async () => {
    await service.stop();
    await redis.stop();
  });

  it('API and worker warn at their start that Redis evicts keys', async () => {
    for (const { lines } of [service.api, ...service.workers]) {
      await eventually(() => {
        const warning = lines.find((line) => line.includes('allkeys-lru'));
        expect(warning).to.match(/"level":50,.*Set maxmemory-policy to noeviction/);
      }, 'it says so');
    }
  });
});
