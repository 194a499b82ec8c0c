import { expect } from 'chai';
import { fetch } from 'undici';
import { eventually } from '../support/eventually.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { FaultInjection } from '../support/fault-injection.js';
import {
  describeOnQueues,
  onPostgres,
  type TestQueue,
  through,
} from '../support/queue-backends.js';
import { type WorkerProcess, type Service, startService } from '../support/service.js';
import { createEndpoint } from '../support/endpoints.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { redisMissing, type RedisServer, startRedis } from '../support/redis.js';
import { sampleOf } from '../support/random.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { createTenant, type Tenant } from '../support/tenants.js';

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

  /** Waits until the worker takes wake-ups, so that none waits. */
  const isReceived = () =>
    eventually(async () => {
      await stream.publish();
      expect(await queue.waiting()).to.equal(0);
      expect(worker.running).to.equal(true);
    }, 'the worker takes wake-ups');

  it('accepts and delivers events while the queue is unreachable, and after it comes back empty', async function () {
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

  it('loses nothing when every connection to the queue breaks, and wake-ups continue', async function () {
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
  it('the poller finds and counts deliveries without a wake-up', async () => {
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

  it('loses nothing and repeats nothing when the queue is flushed', async function () {
    const injection = new FaultInjection('queue flushed');
    this.timeout(injection.limitMs);
    await stream.publishUntil(injection.repeat(() => queue.flush()));
    const { injected } = injection;
    const { duplicates } = await stream.close('the queue flushed', { injected });
    expect(duplicates).to.equal(0);
  });
});

const type = 'cart.order.completed';
const publishAll = `mutation ($input: [PublishEventInput!]!, $atomic: Boolean!) {
  publishEvents(input: $input, atomic: $atomic) { id }
}`;
/** Events of each way to publish. */
const events = 10;

describe('R6: a Redis that is unreachable', () => {
  if (redisMissing !== undefined) {
    it(redisMissing);
    return;
  }

  let redis: RedisServer;
  let proxy: TcpProxy;
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;

  before(async () => {
    redis = await startRedis();
    proxy = await createTcpProxy(Number(new URL(redis.url).port));
    service = await startService({ environment: { REDIS_URL: through(proxy, redis.url) } });
    tenant = await createTenant(service);
    receiver = await startReceiver();
    await createEndpoint(tenant.rest, { url: receiver.url(), event_types: [type] });
  });

  after(async () => {
    await service.stop();
    await Promise.all([receiver.close(), proxy.close()]);
    await redis.stop();
  });

  async function publishTwo(atomic: boolean): Promise<string[]> {
    const input = { account: tenant.account, type, subject: 's', data: sampleOf(type) };
    const variables = { input: [input, input], atomic };
    const { publishEvents } = await tenant.graphql<{ publishEvents: { id: string }[] }>(
      publishAll,
      variables,
    );
    return publishEvents.map(({ id }) => id);
  }

  /** A lone event, a group, and a transaction. */
  const ways: readonly (() => Promise<string[]>)[] = [
    async () => [await tenant.publish({ type })],
    () => publishTwo(false),
    () => publishTwo(true),
  ];

  /** How many deliveries a poll found, because no wake-up came. */
  async function missed(): Promise<number> {
    const metrics = await (await fetch(`${service.workers[0]?.healthUrl}/metrics`)).text();
    return Number(/poll_finds_total\{found="missed"\} (\d+)/.exec(metrics)?.[1] ?? 0);
  }

  for (const away of ['refuse', 'stall'] as const) {
    const does = { refuse: 'refuses connections', stall: 'does not answer' }[away];
    it(`H201: a Redis that ${does} delays no delivery that is due at once`, async () => {
      await proxy[away]();
      for (const publish of ways) {
        const before = await missed();
        for (let count = 0; count < events; count += 1) {
          for (const id of await publish())
            await receiver.next(({ headers }) => headers['x-service-event-id'] === id);
        }
        // A poll may come before the signal of an event, but not before that of most.
        expect((await missed()) - before).to.be.below(events / 2);
      }
      await proxy.open();
    });
  }
});
