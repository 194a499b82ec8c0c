import { expect } from 'chai';
import { fetch } from 'undici';
import { allowedMs, besideProbe, eventually } from '../support/eventually.js';
import { cluster } from '../support/cluster.js';
import { recordedAs } from '../support/delivery-records.js';
import {
  createEndpoint,
  dataOf,
  deliveriesPath,
  endpointInput,
  endpointsPath,
  type EndpointBody,
  type List,
  toProblem,
} from '../support/endpoints.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { openPage } from '../support/dashboard.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { redisMissing, type RedisServer, startRedis } from '../support/redis.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** An event does not wait for a command of Redis, which is given up after 2 seconds. */
const promisedMs = 1_000;
/** The longest time until a response, whichever server is unreachable. */
const timeoutMs = 20_000;

const readiness = async ({ internalUrl }: Service) => {
  const response = await fetch(`${internalUrl}/readyz`);
  const { dependencies } = (await response.json()) as { dependencies: Record<string, string> };
  return { status: response.status, dependencies };
};

interface StatusBody {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** What the processes log as errors of the service. */
const errorsOf = ({ api, workers }: Service): string[] =>
  [api, ...workers].flatMap(({ lines }) => lines.filter((line) => line.includes('"level":50')));

describe('a service whose PostgreSQL comes and goes', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let proxy: TcpProxy;

  before(async () => {
    proxy = await createTcpProxy(Number(new URL((await cluster()).url('postgres')).port));
    service = await startService({ databasePort: proxy.port });
    receiver = await startReceiver();
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url() });
  });

  after(async () => {
    await proxy.open();
    await service.stop();
    await receiver.close();
    await proxy.close();
  });

  const back = () =>
    eventually(async () => {
      expect((await tenant.rest.get(endpointsPath)).status).to.equal(200);
    }, 'the API answers again');

  it('answers 503 with Retry-After when PostgreSQL vanishes silently, and never hangs', async () => {
    proxy.stall();

    const began = performance.now();
    const body = endpointInput({ event_types: ['invoice.issued'] });
    const replies = await Promise.all([
      tenant.rest.get(endpointsPath),
      tenant.rest.get(deliveriesPath),
      tenant.rest.post(endpointsPath, body, { key: 'stalled' }),
    ]);

    expect(performance.now() - began).to.be.lessThan(timeoutMs);

    for (const reply of replies) {
      expect(toProblem(reply, 503).code).to.equal('service_unavailable');
      expect(Number(reply.headers['retry-after'])).to.be.within(1, 60);
    }

    expect(await readiness(service)).to.deep.include({ status: 503 });
    await proxy.open();
    await back();
    dataOf(await tenant.rest.post(endpointsPath, body, { key: 'stalled' }), 201);
  });

  it('delivers again as soon as PostgreSQL is back, by the same processes', async () => {
    const pids = [service.api.pid, ...service.workers.map(({ pid }) => pid)];
    await proxy.refuse();
    const refused = await tenant.rest.get(endpointsPath);
    expect(toProblem(refused, 503).code).to.equal('service_unavailable');
    const page = await openPage(`${service.url}/checkout/chk_0000000000000000000000AB`);
    expect([page.status, page.headers['retry-after']]).to.deep.equal([503, '5']);
    expect(page.text).to.include('Temporarily unavailable');
    await proxy.open();
    await back();
    await recordedAs(tenant.rest, await tenant.publish({}), ['success']);
    const running = [service.api, ...service.workers].filter((one) => one.running);
    expect(running.map(({ pid }) => pid)).to.deep.equal(pids);
  });

  it('logs an outage as warnings, without stacks', async () => {
    await proxy.refuse();
    const headers = { authorization: 'Bearer int_unknown', 'content-type': 'application/json' };
    const body = JSON.stringify({ query: '{ viewer { account { id } } }' });
    const replies = await Promise.all([
      fetch(`${service.internalUrl}/graphql`, { method: 'POST', headers, body }),
      fetch(`${service.internalUrl}/stream?account=${tenant.account}`, { headers }),
    ]);
    expect(replies.map(({ status }) => status)).to.deep.equal([503, 503]);
    await proxy.open();
    await back();
    expect(errorsOf(service)).to.deep.equal([]);
  });

  it('H44: creates one endpoint for each key, however often the connections break', async () => {
    const { rest } = await createTenant(service);
    const keys = Array.from({ length: 60 }, (_, index) => `broken-${index}`);
    const seen = new Map<string, string>();
    const create = (key: string) =>
      eventually(async () => {
        const reply = await rest.post(endpointsPath, endpointInput({ description: key }), {
          key,
        });
        expect(reply.status, reply.text).to.equal(201);
        seen.set(key, dataOf<EndpointBody>(reply, 201).id);
      }, `${key} is created`);

    const lanes = Array.from({ length: 6 }, async (_, lane) => {
      for (const [index, key] of keys.entries()) {
        if (index % 6 !== lane) continue;
        await create(key);
        if (index % 10 === lane) proxy.cut();
      }
    });

    await Promise.all(lanes);

    const listed = (await rest.get(`${endpointsPath}?limit=100`)).body as List<EndpointBody>;
    expect(listed.data.map(({ id }) => id).toSorted()).to.deep.equal([...seen.values()].toSorted());
    expect(listed.data.length).to.equal(keys.length);
  });
});

describe('a service whose PostgreSQL refuses to write', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;

  before(async () => {
    service = await startService();
    receiver = await startReceiver();
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url() });
  });

  after(async () => {
    await service.stop();
    await receiver.close();
  });

  /** Refuses inserts with the SQLSTATE of PostgreSQL on a full disk. */
  const fillDisk = () =>
    service.database.query(`
      create function disk_full() returns trigger language plpgsql as $$
      begin
        raise exception 'could not extend file: No space left on device' using errcode = '53100';
      end $$;
      create trigger disk_full before insert on endpoint execute function disk_full();
      create trigger disk_full before insert on delivery execute function disk_full();
    `);

  const refusalsOf = async (address = '') => {
    const ready = await fetch(`${address}/readyz`);
    const { dependencies } = (await ready.json()) as { dependencies: Record<string, string> };
    const metrics = await (await fetch(`${address}/metrics`)).text();
    const [, count = '0'] = /^signalpost_writes_refused_total (\d+)$/m.exec(metrics) ?? [];
    return { status: ready.status, writes: dependencies['writes'], counted: Number(count) > 0 };
  };

  it('H196: reports that writes are refused, keeps reading, and records its deliveries later', async () => {
    const processes = [service.internalUrl, service.workers[0]?.healthUrl];
    for (const address of processes)
      expect(await refusalsOf(address)).to.deep.equal({
        status: 200,
        writes: 'ok',
        counted: false,
      });

    await fillDisk();

    const event = await tenant.publish({});

    const refused = { status: 200, writes: 'refused', counted: true };
    await eventually(async () => {
      // Writes each time, because a process reports a refusal for a minute only.
      const created = await tenant.rest.post(endpointsPath, endpointInput());
      expect(toProblem(created, 503).code).to.equal('service_unavailable');
      for (const address of processes) expect(await refusalsOf(address)).to.deep.equal(refused);
      const status = (await (await fetch(`${service.internalUrl}/status`)).json()) as StatusBody;
      expect(status.dependencies['writes']).to.equal('refused');
      expect(status.problems.join()).to.include('PostgreSQL refused a write');
    }, 'both processes say that writes are refused');

    expect((await tenant.rest.get(endpointsPath)).status).to.equal(200);

    const create = `mutation ($account: ID, $input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(account: $account, input: $input) { id } }`;
    const input = {
      url: receiver.url(),
      notificationEmail: 'ops@shop.example',
      eventTypes: ['cart.order.completed'],
    };
    await tenant.graphql(create, { account: tenant.account, input }).then(
      () => expect.fail('it was created'),
      (error: unknown) => expect(String(error)).to.match(/temporarily unavailable/),
    );
    expect(errorsOf(service)).to.deep.equal([]);

    await service.database.query('drop function disk_full cascade');
    await recordedAs(tenant.rest, event, ['success']);
    expect(receiver.requests).to.have.length(1);
  });
});

describe('a service whose Redis is unreachable', () => {
  if (redisMissing !== undefined) {
    it(redisMissing);
    return;
  }

  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let redis: RedisServer;
  let proxy: TcpProxy;

  before(async () => {
    redis = await startRedis();
    proxy = await createTcpProxy(Number(new URL(redis.url).port));
    const environment = { REDIS_URL: `redis://127.0.0.1:${proxy.port}` };
    service = await startService({ environment });
    receiver = await startReceiver();
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url() });
    // The first operation loads GraphQL, which must not count as a wait for Redis.
    await tenant.publish({});
  });

  after(async () => {
    await service.stop();
    await receiver.close();
    await proxy.close();
    await redis.stop();
  });

  const story = async () => {
    const { value: event, ...times } = await besideProbe(
      () => tenant.rest.get(endpointsPath),
      () => tenant.publish({}),
    );
    expect(times.tookMs).to.be.lessThan(allowedMs(promisedMs, times));
    const [record] = await recordedAs(tenant.rest, event, ['success']);
    const replay = await tenant.rest.post(`${deliveriesPath}/${record.id}/replay`);
    expect(dataOf(replay, 200)).to.include({ status: 'success', replayed_from: record.id });
  };

  for (const [how, leave] of Object.entries<() => void | Promise<void>>({
    'refuses connections': () => proxy.refuse(),
    'does not answer': () => proxy.stall(),
  })) {
    it(`accepts, delivers and replays events while Redis ${how}`, async () => {
      await story();
      await leave();
      await story();
      const { status, dependencies } = await readiness(service);
      expect(status).to.equal(200);
      expect(dependencies).to.include({ postgresql: 'ok', queue: 'away', redis: 'away' });
      await proxy.open();
      await eventually(async () => {
        expect((await readiness(service)).dependencies).to.include({ queue: 'ok', redis: 'ok' });
      }, 'Redis is back');
      await story();
    });
  }
});
