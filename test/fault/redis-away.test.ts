import { expect } from 'chai';
import { fetch } from 'undici';
import { createEndpoint } from '../support/endpoints.js';
import { through } from '../support/queue-backends.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { redisMissing, type RedisServer, startRedis } from '../support/redis.js';
import { sampleOf } from '../support/random.js';
import { type Service, startService } from '../support/service.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const type = 'cart.order.completed';
const publishAll = `mutation ($input: [PublishEventInput!]!, $atomic: Boolean!) {
  publishEvents(input: $input, atomic: $atomic) { id }
}`;
/** Events of each way to publish. */
const events = 10;

describe('R6: a Redis that is away', () => {
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
    it(`H201: and ${does} delays no delivery that is due at once`, async () => {
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
