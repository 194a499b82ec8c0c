import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  comparable,
  createEndpoint,
  endpointsPath,
  type EndpointBody,
  type List,
  listDeliveries,
  toProblem,
} from '../support/endpoints.js';
import { answer } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import type { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('webhooks.endpoints.delete', () => {
  let service: Service;
  let tenant: Tenant;
  let rest: RestClient;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ rest } = tenant);
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  const remove = (id: string, ask = {}) => rest.delete(`${endpointsPath}/${id}`, ask);

  it('H20: answers 204 with neither body nor Content-Type', async () => {
    const { id } = await createEndpoint(rest);
    const { status, text, headers } = await remove(id);
    expect({ status, text }).to.deep.equal({ status: 204, text: '' });
    expect(headers).not.to.have.property('content-type');
  });

  it('H21: is 404 the second time, and the stored 204 under the same key', async () => {
    const { id } = await createEndpoint(rest);
    const key = randomUUID();
    const first = await remove(id, { key });
    expect(first.headers).not.to.have.property('idempotent-replayed');
    const again = await remove(id, { key });
    expect(again.status).to.equal(204);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    toProblem(await remove(id), 404);
  });

  it('H22: takes the endpoint and its secrets at once, cancels attempts, keeps records', async () => {
    receiver.always(answer(500));
    // Of its own: every endpoint of an account gets the event, and records name none.
    const own = await createTenant(service);
    const { id } = await createEndpoint(own.rest, { url: receiver.url('/deleted') });

    await own.publish({});

    const failed = await eventually(async () => {
      const [record] = await listDeliveries(own.rest);
      expect(record?.status).to.equal('failed');
      return record;
    }, 'the first attempt failed');

    expect((await own.rest.delete(`${endpointsPath}/${id}`)).status).to.equal(204);
    toProblem(await own.rest.get(`${endpointsPath}/${id}`), 404);

    const { data } = (await own.rest.get(`${endpointsPath}?limit=100`)).body as List<EndpointBody>;
    expect(data.map((endpoint) => endpoint.id)).not.to.include(id);
    expect(await listDeliveries(own.rest)).to.deep.equal([{ ...failed, status: 'abandoned' }]);

    const left = await service.database.query(
      `select id from endpoint_secret where endpoint_id = $1
       union all select id from pending_delivery where endpoint_id = $1`,
      [id],
    );
    expect(left).to.deep.equal([]);
  });

  it('H26, A46: ignores any body', async () => {
    for (const bytes of ['{}', '{"a":', '\xff\xfe']) {
      const { id } = await createEndpoint(rest);
      expect((await remove(id, { bytes })).status).to.equal(204);
    }
    const { id } = await createEndpoint(rest);
    const key = randomUUID();
    await remove(id, { key, bytes: '{"one":1}', headers: { 'content-type': 'text/plain' } });
    const again = await remove(id, { key, bytes: '{"two":2}' });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    toProblem(await remove(id, { bytes: Buffer.alloc(1_048_577, 'x') }), 413);
  });

  it('A10: answers 400, 401, 403, 404 and 409 to what it refuses', async () => {
    const { id } = await createEndpoint(rest);
    const other = await createEndpoint(rest);
    toProblem(await remove(id, { key: null }), 400);
    toProblem(await rest.as('sk_live_unknown').delete(`${endpointsPath}/${id}`), 401);
    const reader = await tenant.client({ kind: 'live', level: 'read' });
    toProblem(await reader.delete(`${endpointsPath}/${id}`), 403);
    toProblem(await remove('whs_unknown'), 404);
    const key = randomUUID();
    expect((await remove(other.id, { key })).status).to.equal(204);
    expect(toProblem(await remove(id, { key }), 409).code).to.equal('idempotency_key_conflict');
  });

  it('answers alike to an unknown id and to one of another account', async () => {
    const stranger = await createTenant(service);
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await remove(id), 404);
    expect(comparable(foreign)).to.deep.equal(
      comparable(toProblem(await remove('whs_unknown'), 404)),
    );
    expect((await stranger.rest.get(`${endpointsPath}/${id}`)).status).to.equal(200);
  });
});
