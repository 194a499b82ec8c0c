import { expect } from 'chai';
import { fetch } from 'undici';
import { allowedMs, besideProbe, eventually } from '../support/eventually.js';
import { cluster } from '../support/cluster.js';
import { makeOrder, type InvoiceBody } from '../support/sales.js';
import {
  createEndpoint,
  dataOf,
  deliveriesPath,
  endpointInput,
  endpointsPath,
  toProblem,
} from '../support/endpoints.js';
import { createTcpProxy, type TcpProxy } from '../support/proxies.js';
import { FaultInjection } from '../support/fault-injection.js';
import { openPage } from '../support/dashboard.js';
import { describeServiceOnQueues, type ServiceQueue } from '../support/queue-backends.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { sampleOf } from '../support/random.js';

/** The time in which every request is answered. */
const promisedMs = 10_000;

/** More than there are connections to PostgreSQL. */
const callersOfEach = 8;

const publish = `mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }`;

const endpointPath = ({ id }: { readonly id: string }) => `${endpointsPath}/${id}`;

/** What one request was answered, as far as it matters here. */
interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

describeServiceOnQueues('an API whose PostgreSQL does not respond', (create) => {
  let queue: ServiceQueue;
  let proxy: TcpProxy;
  let service: Service;
  let tenant: Tenant;
  let pdf: string;
  let internal: string;
  const keys = new Set<string>();
  let refused = 0;

  before(async () => {
    queue = await create();
    proxy = await createTcpProxy(Number(new URL((await cluster()).url('postgres')).port));
    service = await startService({
      databasePort: proxy.port,
      ...(queue.redisUrl !== undefined && { environment: { REDIS_URL: queue.redisUrl } }),
    });
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest);
    const { invoice } = await makeOrder(tenant);
    const shown = await tenant.rest.get(`/v1/commerce/invoices/${invoice.id}`);
    pdf = dataOf<InvoiceBody>(shown, 200).pdf_url;
    internal = (await tenant.credential({ kind: 'internal' })).token;
  });

  after(async () => {
    await proxy.open();
    await service.stop();
    await proxy.close();
    await queue.drop();
  });

  const createUnder = (key: string) =>
    tenant.rest.post(endpointsPath, endpointInput({ description: key }), { key });

  const ofRest = async (asked: ReturnType<typeof createUnder>): Promise<Answered> => {
    const reply = await asked;
    if (reply.status >= 400) expect(toProblem(reply, 503).code).to.equal('service_unavailable');
    return { status: reply.status, retryAfter: reply.headers['retry-after'] };
  };

  /** One request per listener and kind. */
  const entryPoints: Readonly<Record<string, () => Promise<Answered>>> = {
    read: () => ofRest(tenant.rest.get(deliveriesPath)),
    change: () => {
      const key = `hole-${keys.size}`;
      keys.add(key);
      return ofRest(createUnder(key));
    },
    page: async () => {
      const { status, headers } = await openPage(`${service.url}/checkout/chk_${'a'.repeat(24)}`);
      // No checkout has this id.
      return {
        status: status === 404 ? 200 : status,
        retryAfter: headers['retry-after']?.toString(),
      };
    },
    document: async () => {
      const { status, headers, body } = await fetch(pdf);
      await body?.cancel();
      return { status, retryAfter: headers.get('retry-after') ?? undefined };
    },
    graphql: async () => {
      const { account } = tenant;
      const type = 'invoice.issued';
      const input = { account, type, subject: 'order:ord_1', data: sampleOf(type) };
      const response = await fetch(`${service.internalUrl}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${internal}`,
          'content-type': 'application/json',
          accept: 'application/graphql-response+json',
        },
        body: JSON.stringify({ query: publish, variables: { input } }),
      });

      await response.text();

      const retryAfter = response.headers.get('retry-after') ?? undefined;
      return { status: response.status, retryAfter };
    },
  };

  const alive = async () => (await fetch(`${service.internalUrl}/livez`)).text();

  /** Sends concurrent requests of all kinds until `done`. @returns the longest time in ms */
  async function askUntil(done: Promise<unknown>): Promise<number> {
    const state = { going: true, longestMs: 0 };
    const ended = done.finally(() => (state.going = false));
    const callers = Object.entries(entryPoints).flatMap(([entryPoint, ask]) =>
      Array.from({ length: callersOfEach }, async () => {
        while (state.going) {
          const began = performance.now();
          const { status, retryAfter } = await ask();
          state.longestMs = Math.max(state.longestMs, performance.now() - began);
          if (status < 300) continue;
          refused += 1;
          expect([status, retryAfter], entryPoint).to.deep.equal([503, '5']);
        }
      }),
    );

    await Promise.all([ended, ...callers]);

    return state.longestMs;
  }

  const back = () =>
    eventually(async () => {
      expect((await tenant.rest.get(endpointsPath)).status).to.equal(200);
    }, 'the API answers again');

  it('H105: answers every request within ten seconds, with 503 where it cannot, and repeats it under its key', async function () {
    const injection = new FaultInjection('black hole before PostgreSQL');
    this.timeout(injection.limitMs);

    const faults = async () => {
      proxy.stall();
      await injection.holdFault();
      await proxy.open();
      await back();
    };

    const ask = () => askUntil(injection.repeat(faults));
    const { value: longestMs, probeMs } = await besideProbe(alive, ask);
    expect(longestMs).to.be.below(allowedMs(promisedMs, { probeMs }));
    expect(refused).to.be.greaterThan(0);

    for (const key of keys) {
      const created = await eventually(async () => {
        const reply = await createUnder(key);
        expect(reply.status, reply.text).to.equal(201);
        return reply;
      }, `${key} is created`);
      dataOf(created, 201);
    }

    const rows = await service.database.query(
      `select from endpoint where description like 'hole-%'`,
    );
    expect(rows.length, 'one endpoint for each key').to.equal(keys.size);
  });

  it('H105: answers in time when many requests wait for a turn, a connection or a lock', async function () {
    const tenants = await Promise.all(Array.from({ length: 20 }, () => createTenant(service)));
    const endpoints = await Promise.all(
      tenants.map(async ({ rest }) => {
        // The test before has just given PostgreSQL back.
        const endpoint = await eventually(() => createEndpoint(rest), 'an endpoint is created');
        return { rest, path: endpointPath(endpoint) };
      }),
    );
    const holder = await service.database.hold('lock table event_type in access exclusive mode');
    const crowd = () =>
      Promise.all(
        Array.from({ length: 160 }, (_, index) => {
          const { rest, path } = endpoints[index % endpoints.length]!;
          const body = { event_types: ['invoice.issued'] };
          return ofRest(rest.patch(path, body, { key: `crowd-${index}` }));
        }),
      );
    try {
      const { value, ...times } = await besideProbe(alive, crowd);
      for (const { status, retryAfter } of value)
        expect([status, retryAfter]).to.deep.equal([503, '5']);
      expect(times.tookMs).to.be.below(allowedMs(promisedMs, times));
    } finally {
      await holder.release();
    }

    await back();
  });
});
