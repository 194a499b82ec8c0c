import { expect } from 'chai';
import { fetch, request } from 'undici';
import { answer } from '../support/behaviours.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, GraphqlRefusal } from '../support/tenants.js';

/** Postpones the next attempt until the test is over. */
const later = { 'retry-after': '3600' };

describe('metrics', () => {
  let service: Service;

  before(async () => {
    service = await sharedService();
  });

  const value = async (address: string | undefined, line: string): Promise<number> => {
    const text = await (await fetch(`${address ?? ''}/metrics`)).text();
    const sample = text.split('\n').find((row) => row.startsWith(`${line} `));
    return Number(sample?.split(' ')[1] ?? 0);
  };

  const ofApi = (line: string) => value(service.internalUrl, line);
  const ofWorker = (line: string) => value(service.workers[0]?.healthUrl, line);

  it('H196, H197: refuses metrics and status under a host name that another site can have', async () => {
    const worker = service.workers[0]?.healthUrl ?? '';
    const ask = async (url: string, host: string) => {
      const { statusCode, body } = await request(url, { headers: { host } });
      return [statusCode, await body.text()] as const;
    };

    for (const url of [
      `${service.internalUrl}/metrics`,
      `${service.internalUrl}/status`,
      `${worker}/metrics`,
    ]) {
      const [status, text] = await ask(url, 'evil.example:8081');
      expect([url, status]).to.deep.equal([url, 403]);
      expect(text).to.include('INTERNAL_HOSTS').and.not.to.include('signalpost_');
      for (const host of ['localhost:8081', 'api', 'signalpost.shop.svc.cluster.local']) {
        expect((await ask(url, host))[0], `${url} as ${host}`).to.equal(200);
      }
    }
  });

  it('counts what was accepted, delivered, failed, abandoned and disabled', async () => {
    const counters = [
      [ofApi, 'signalpost_events_accepted_total', 3],
      [ofWorker, 'signalpost_deliveries_total{status="success"}', 1],
      [ofWorker, 'signalpost_deliveries_total{status="failed"}', 1],
      [ofWorker, 'signalpost_deliveries_total{status="abandoned"}', 1],
      [ofWorker, 'signalpost_endpoints_disabled_total', 1],
    ] as const;

    const before = await Promise.all(counters.map(([of, line]) => of(line)));
    const receiver = await startReceiver();
    try {
      for (const [status, record] of [
        [200, 'success'],
        [503, 'failed'],
        [410, 'abandoned'],
      ] as const) {
        const tenant = await createTenant(service);
        await createEndpoint(tenant.rest, { url: receiver.url() });
        receiver.always(answer(status, later));
        await recordedAs(tenant.rest, await tenant.publish({ key: 'k' }), [record]);
        await tenant.publish({ key: 'k' });
      }
    } finally {
      await receiver.close();
    }

    await eventually(async () => {
      for (const [index, [of, line, count]] of counters.entries()) {
        expect((await of(line)) - (before[index] ?? 0), line).to.be.at.least(count);
      }
    }, 'all are counted');

    const accepted = await ofApi('signalpost_events_accepted_total');
    expect(accepted - before[0]!, 'a repeated publication').to.equal(3);
  });

  it('counts the errors of operations of internal GraphQL by their code', async () => {
    const tenant = await createTenant(service);

    for (const [code, query] of [
      ['GRAPHQL_VALIDATION_FAILED', 'subscription { eventTypes { page { hasMore } } }'],
      [
        'not_found',
        '{ webhookEndpoints(account: "acc_000000000000000000000000") { page { hasMore } } }',
      ],
    ] as const) {
      const line = `signalpost_graphql_errors_total{code="${code}"}`;
      const before = await ofApi(line);
      const refused = await tenant.graphql(query).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(GraphqlRefusal).and.have.property('code', code);
      expect(await ofApi(line)).to.be.at.least(before + 1);
    }
  });

  it('H61: counts what is abandoned because its owner or the service switched the endpoint off', async () => {
    const line = 'signalpost_deliveries_total{status="abandoned"}';
    // The process that cancels counts: a worker may poll what the request of the owner leaves to it.
    const counted = async () => (await ofApi(line)) + (await ofWorker(line));
    const before = await counted();
    const receiver = await startReceiver();
    try {
      for (const by of ['owner', 'service'] as const) {
        const tenant = await createTenant(service);
        const { id } = await createEndpoint(tenant.rest, { url: receiver.url() });

        receiver.always(answer(503, later));

        const event = await tenant.publish({ key: 'one' });
        await recordedAs(tenant.rest, event, ['failed']);

        if (by === 'owner') await tenant.rest.patch(`${endpointsPath}/${id}`, { active: false });
        else {
          receiver.always(answer(410));
          await recordedAs(tenant.rest, await tenant.publish({ key: 'two' }), ['abandoned']);
        }

        await recordedAs(tenant.rest, event, ['abandoned']);
      }
    } finally {
      await receiver.close();
    }

    await eventually(async () => {
      const since = (await counted()) - before;
      expect(since, 'of each endpoint, and what the receiver said last').to.be.at.least(3);
    }, 'all are counted');
  });
});
