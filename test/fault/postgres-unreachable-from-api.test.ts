import { expect } from 'chai';
import { fetch } from 'undici';
import { contract } from '../../src/http/rest/contract.js';
import { allowedMs, besideProbe, eventually } from '../support/eventually.js';
import { cluster } from '../support/cluster.js';
import { createEndpoint, endpointInput, endpointsPath, toProblem } from '../support/endpoints.js';
import { unknownSubjects } from '../support/every-operation.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import type { Reply } from '../support/rest-client.js';
import { startService, type Service } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

/** The time in which a request is refused. */
const promisedMs = 10_000;

describe('PostgreSQL unreachable from the API', () => {
  let service: Service;
  let tenant: Tenant;
  let proxy: TcpProxy;
  let endpoint: string;

  before(async () => {
    proxy = await createTcpProxy(Number(new URL((await cluster()).url('postgres')).port));
    service = await startService({ workers: 0, databasePort: proxy.port });
    tenant = await createTenant(service);
    endpoint = (await createEndpoint(tenant.rest)).id;
  });

  after(async () => {
    await service.stop();
    await proxy.close();
  });

  afterEach(async () => {
    await proxy.open();
    await eventually(async () => {
      expect((await tenant.rest.get(endpointsPath)).status).to.equal(200);
    }, 'the API answers again');
  });

  const bodies: Readonly<Record<string, object>> = {
    'webhooks.endpoints.create': endpointInput(),
    'webhooks.endpoints.update': { active: false },
    'webhooks.endpoints.event_subscriptions.update': { event_types: ['invoice.issued'] },
  };

  // A malformed id needs no query.
  const unknownIds: Readonly<Record<string, string>> = {
    checkouts: unknownSubjects.checkout,
    orders: unknownSubjects.order,
    payments: unknownSubjects.payment,
    refunds: unknownSubjects.refund,
    invoices: unknownSubjects.invoice,
    offers: unknownSubjects.offer,
  };

  const alive = async () => (await fetch(`${service.internalUrl}/livez`)).text();
  const askEach = () =>
    Promise.all(
      Object.entries(contract).map(async ([id, { method, path }]) => {
        const target = path
          .replace('{id}', unknownIds[id.split('.')[1] ?? ''] ?? endpoint)
          .replace('{delivery_id}', `whd_${'a'.repeat(24)}`);
        return { id, reply: await tenant.rest.send(method, target, { body: bodies[id] }) };
      }),
    );

  const expectRefused = (id: string, reply: Reply) => {
    expect(toProblem(reply, 503).code, id).to.equal('service_unavailable');
    expect(reply.headers['retry-after'], id).to.equal('5');
  };

  const waitingForLocks = (count: number) =>
    eventually(async () => {
      const waiting = await service.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      expect(waiting).to.have.lengthOf(count);
    }, `${count} statements wait for a lock`);

  it('the API refuses every operation with 503 and Retry-After, and recovers without a restart', async () => {
    await proxy.refuse();
    const { value, ...times } = await besideProbe(alive, askEach);
    for (const { id, reply } of value) expectRefused(id, reply);
    expect(times.tookMs).to.be.below(allowedMs(promisedMs, times));
    const ready = await fetch(`${service.internalUrl}/readyz`);
    expect(ready.status).to.equal(503);
    expect(await ready.json()).to.deep.include({ status: 'not ready' });
    expect((await fetch(`${service.internalUrl}/livez`)).status).to.equal(200);
  });

  it('the API refuses a request whose connection breaks midway, and leaves no partial effect', async () => {
    const body = endpointInput({ description: 'broken off' });
    const holder = await service.database.hold('lock table event_type in access exclusive mode');
    const asked = tenant.rest.post(endpointsPath, body, { key: 'broken-off' });

    await waitingForLocks(1);
    proxy.cut();
    expectRefused('create', await asked);
    await holder.release();

    const again = await tenant.rest.post(endpointsPath, body, { key: 'broken-off' });
    expect(again.status, again.text).to.equal(201);
    expect(again.headers).not.to.have.property('idempotent-replayed');

    const rows = await service.database.query(
      `select from endpoint where description = 'broken off'`,
    );
    expect(rows).to.have.lengthOf(1);
  });

  it('the API never hangs when a statement does not end', async () => {
    const holder = await service.database.hold('lock table endpoint in access exclusive mode');
    try {
      const list = () => tenant.rest.get(endpointsPath);
      const { value, ...times } = await besideProbe(alive, list);
      expectRefused('list', value);
      expect(times.tookMs).to.be.below(allowedMs(promisedMs, times));
    } finally {
      await holder.release();
    }
  });
});
