import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Ledger, openLedger } from '../support/ledger.js';
import { Ordeal } from '../support/ordeal.js';
import { describeOnQueues, type TestQueue } from '../support/queue-backends.js';
import { redisMissing, type RedisServer, startRedis } from '../support/redis.js';
import { type Service, startService } from '../support/service.js';
import type { WorkerProcess } from '../support/worker.js';

describeOnQueues('R7: a queue without memory', (create) => {
  let queue: TestQueue;
  let ledger: Ledger;
  let worker: WorkerProcess;

  before(async () => {
    queue = await create();
    ledger = await openLedger(queue);
    worker = await ledger.startWorker();
  });
  after(async () => {
    await ledger.drop();
    await queue.drop();
  });

  it('refuses wake-ups: events are taken, delivered meanwhile, and no worker needs a restart', async function () {
    const ordeal = new Ordeal('queue full');
    this.timeout(ordeal.limitMs);
    const { receiver } = ledger;
    await ledger.publishUntil(
      ordeal.strike(async () => {
        await queue.fill();
        const before = receiver.requests.length;
        await ordeal.last();
        await eventually(() => {
          expect(receiver.requests.length).to.be.greaterThan(before + 20);
        }, 'deliveries go on');
        await queue.makeRoom();
      }),
    );
    const { struck } = ordeal;
    const { duplicates } = await ledger.close('the queue out of memory', { struck });
    expect(duplicates).to.equal(0);
    await eventually(async () => {
      await ledger.publish();
      expect(await queue.waiting()).to.equal(0);
    }, 'the worker takes wake-ups again');
    expect(worker.running).to.equal(true);
  });
});

describe('R7: a Redis that evicts', function () {
  this.timeout(60_000);
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

  it('is warned of by API and worker when they start', async () => {
    for (const { lines } of [service.api, ...service.workers]) {
      await eventually(() => {
        const warning = lines.find((line) => line.includes('allkeys-lru'));
        expect(warning).to.match(/"level":50,.*set maxmemory-policy to noeviction/);
      }, 'it says so');
    }
  });
});
