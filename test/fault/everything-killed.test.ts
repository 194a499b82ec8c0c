import { expect } from 'chai';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import type { ServiceProcess } from '../support/process.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { redisMissing, startRedis } from '../support/redis.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const publishers = 3;

/** A process that is killed, and the way to have it again. */
type Victim = readonly [process: () => ServiceProcess | undefined, again: () => Promise<unknown>];

describe('kill -9 of API and worker in turn while events flow', () => {
  for (const backend of ['PostgreSQL', 'Redis']) {
    if (backend === 'Redis' && redisMissing !== undefined) {
      it(redisMissing);
      continue;
    }
    it(`H49: publishes each event once and loses none, with the queue on ${backend}`, async function () {
      this.timeout(90_000);
      const redis = backend === 'Redis' ? await startRedis() : undefined;
      const receiver = await startReceiver();
      // A lease is the timeout and 15 s: what a killed worker held is sent again after that.
      const environment = { WEBHOOKS_TIMEOUT: '1s', ...(redis && { REDIS_URL: redis.url }) };
      const service = await startService({ environment });
      try {
        await run(backend, service, receiver);
      } finally {
        await service.stop();
        await receiver.close();
        await redis?.stop();
      }
    });
  }

  async function run(backend: string, service: Service, receiver: Receiver): Promise<void> {
    const tenant = await createTenant(service);
    const { signing_secret: secret } = await createEndpoint(tenant.rest, { url: receiver.url() });
    const acked = new Map<string, string>();
    let going = true;
    const publishing = Promise.all(
      Array.from({ length: publishers }, async (_, lane) => {
        for (let number = 0; going; number += 1) {
          await publish(tenant, `${lane}-${number}`, acked);
        }
      }),
    );
    const api: Victim = [() => service.api, () => service.startApi()];
    const worker: Victim = [() => service.workers.at(-1), () => service.startWorker()];
    for (const [process, again] of [api, worker, worker, api]) {
      const before = acked.size;
      await eventually(() => expect(acked.size).to.be.greaterThan(before + 20), 'events flow');
      await process()?.end('SIGKILL');
      await again();
    }
    going = false;
    await publishing;

    const ids = [...acked.values()];
    expect(new Set(ids).size).to.equal(acked.size);
    const arrived = () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
    await eventually(
      async () => {
        const found = arrived();
        expect(ids.filter((id) => !found.has(id)).length, 'lost').to.equal(0);
        const [row] = await service.database.query<{ open: number }>(
          'select count(*)::int as open from chain',
        );
        expect(row?.open, 'open chains').to.equal(0);
      },
      'everything arrived and is recorded',
      40_000,
    );
    const stored = await service.database.query('select id from event where account_id = $1', [
      tenant.account,
    ]);
    expect(stored.length, 'one event for each key').to.equal(acked.size);
    for (const request of receiver.requests) {
      expect(verify(request, secret)).to.deep.equal({ service: true, standard: true });
    }
    const received = receiver.requests.length;
    const line = `acked=${acked.size} received=${received} lost=0 duplicates=${received - acked.size}`;
    process.stdout.write(`      kill -9 of API and worker, ${backend}: ${line}\n`);
  }
});

/** Publishes under a key until it was acknowledged, however often the API is killed meanwhile. */
function publish(tenant: Tenant, key: string, acked: Map<string, string>): Promise<unknown> {
  return eventually(
    async () => acked.set(key, await tenant.publish({ key, data: { key } })),
    `${key} is published`,
    30_000,
  );
}
