import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordedAs } from '../support/delivery-records.js';
import {
  createEndpoint,
  dataOf,
  deliveriesPath,
  type DeliveryBody,
  endpointInput,
  endpointsPath,
  toProblem,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import type { RestClient } from '../support/rest-client.js';
import { type Service, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

describe('webhooks.deliveries.replay while no worker runs', () => {
  let service: Service;
  let receiver: Receiver;
  let rest: RestClient;
  let endpoint: { readonly id: string };
  let delivered: DeliveryBody;

  before(async () => {
    service = await startService();
    receiver = await startReceiver();
  });

  after(async () => {
    await service.stop();
    await receiver.close();
  });

  beforeEach(async () => {
    if (!service.workers.some(({ running }) => running)) await service.startWorker();
    const tenant = await createTenant(service);
    ({ rest } = tenant);
    endpoint = await createEndpoint(rest, { url: receiver.url() });
    [delivered] = await recordedAs(rest, await tenant.publish({}), ['success']);
    await Promise.all(service.workers.filter(({ running }) => running).map((one) => one.end()));
  });

  const replay = (key: string) =>
    rest.post(`${deliveriesPath}/${delivered.id}/replay`, undefined, { key });
  const startedAt = () =>
    eventually(async () => {
      const pendingDeliveries = await service.database.query(
        `select 1 from pending_delivery where endpoint_id = $1 and lane = 'replay'`,
        [endpoint.id],
      );
      expect(pendingDeliveries.length).to.equal(1);
    }, 'the replay was begun');

  it('H48, H76: refuses other requests while its caller waits, and answers once a worker runs', async () => {
    const key = randomUUID();
    const waiting = replay(key);

    await startedAt();

    const same = await replay(key);
    expect(toProblem(same, 409).code).to.equal('idempotency_key_in_progress');
    expect(same.headers).to.include({ 'retry-after': '1' });

    const otherRequest = () => rest.post(endpointsPath, endpointInput(), { key });
    expect(toProblem(await otherRequest(), 409).code).to.equal('idempotency_key_in_progress');
    expect(toProblem(await replay(randomUUID()), 409).code).to.equal('delivery_in_progress');

    const before = receiver.requests.length;
    await service.startWorker();

    const record = dataOf<DeliveryBody>(await waiting, 200);
    expect(record).to.include({ status: 'success', attempt: 1, replayed_from: delivered.id });

    const again = await replay(key);
    expect(again.headers).to.include({ 'idempotent-replayed': 'true' });
    expect(dataOf(again, 200)).to.deep.equal(record);
    expect(toProblem(await otherRequest(), 409).code).to.equal('idempotency_key_conflict');
    expect(receiver.requests.length - before).to.equal(1);

    const [, listed] = await recordedAs(rest, delivered.event_id, ['success', 'success']);
    expect(listed).to.deep.equal(record);
  });

  it('H76: answers 503 and frees the key when it is dead-lettered', async () => {
    const key = randomUUID();
    const waiting = replay(key);

    await startedAt();

    await service.database.query(
      `with lost as (
         update pending_delivery set lane = 'isolated', interruptions = 5, lease_token = 1
          where endpoint_id = $1 returning id)
       insert into lease (token, until, pending_delivery_ids)
       select 1, now() - interval '1 second', array_agg(id) from lost`,
      [endpoint.id],
    );

    await service.startWorker();

    const deadLettered = await waiting;
    expect(toProblem(deadLettered, 503).code).to.equal('service_unavailable');
    expect(deadLettered.headers).to.include({ 'retry-after': '5' });

    const again = await replay(key);
    expect(dataOf<DeliveryBody>(again, 200)).to.include({ replayed_from: delivered.id });
    expect(again.headers).not.to.have.property('idempotent-replayed');
  });

  it('H44, H76: answers 422 and frees the key when the endpoint is deleted meanwhile', async () => {
    const key = randomUUID();
    const waiting = replay(key);
    await startedAt();
    expect((await rest.delete(`${endpointsPath}/${endpoint.id}`)).status).to.equal(204);
    const { code, errors } = toProblem(await waiting, 422);
    expect([code, errors[0]?.code]).to.deep.equal(['delivery_not_replayable', 'endpoint_deleted']);
    expect((await rest.post(endpointsPath, endpointInput(), { key })).status).to.equal(201);
  });
});
