import { expect } from 'chai';
import { answer, after as later } from '../support/behaviours.js';
import {
  createEndpoint,
  deliveriesPath,
  type DeliveryBody,
  type Envelope,
  listDeliveries,
  toProblem,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import type { Reply } from '../support/rest-client.js';
import { startService, type Service } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('replays that are interrupted', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let delivery: DeliveryBody;

  before(async () => {
    service = await startService({ workers: 1, environment: { WEBHOOKS_TIMEOUT: '1s' } });
  });
  after(() => service.stop());

  beforeEach(async () => {
    receiver = await startReceiver();
    tenant = await createTenant(service);
    await createEndpoint(tenant.rest, { url: receiver.url() });
    await tenant.publish({});
    delivery = await eventually(async () => {
      const [first] = await listDeliveries(tenant.rest);
      expect(first?.status).to.equal('success');
      return first as DeliveryBody;
    }, 'the event is delivered');
  });

  afterEach(() => receiver.close());

  const replay = (key: string): Promise<Reply> =>
    tenant.rest.post(`${deliveriesPath}/${delivery.id}/replay`, undefined, { key });
  const replayed = async () =>
    (await listDeliveries(tenant.rest)).filter((one) => one.replayed_from === delivery.id);
  const endWorkers = () => Promise.all(service.workers.splice(0).map((worker) => worker.end()));

  it('H76: answers 503 when no worker records it in time, then 409 for the key, then the outcome', async () => {
    await endWorkers();

    const late = await replay('late');
    expect(toProblem(late, 503).code).to.equal('service_unavailable');
    expect(late.headers['retry-after']).to.equal('5');

    const again = await replay('late');
    expect(toProblem(again, 409).code).to.equal('idempotency_key_in_progress');
    expect(again.headers['retry-after']).to.equal('1');

    const other = await replay('other');
    expect(toProblem(other, 409).code).to.equal('delivery_in_progress');

    const body = { url: 'https://shop.example', event_types: ['invoice.issued'] };
    const elsewhere = await tenant.rest.post('/v1/webhooks/endpoints', body, { key: 'late' });
    expect(toProblem(elsewhere, 409).code).to.equal('idempotency_key_in_progress');
    await service.startWorker();

    const outcome = await eventually(async () => {
      const reply = await replay('late');
      expect(reply.status, reply.text).to.equal(200);
      return reply;
    }, 'the key has its outcome');

    expect(outcome.headers['idempotent-replayed']).to.equal('true');

    const [record] = await replayed();
    expect((outcome.body as Envelope<DeliveryBody>).data).to.deep.equal(record);
    expect(receiver.requests).to.have.lengthOf(2);
  });

  it('H76: the next request stores and answers when the API dies before the response is stored', async () => {
    receiver.script(later(400, answer(200)));

    const asked = replay('dies').then(
      () => 'answered',
      () => 'broken',
    );

    await receiver.next(({ headers }) => headers['x-service-attempt'] === '1');
    await eventually(() => {
      expect(receiver.requests).to.have.lengthOf(2);
    }, 'the worker sends the replay');
    await service.api.end('SIGKILL');
    expect(await asked).to.equal('broken');
    await service.startApi();

    const outcome = await eventually(async () => {
      const reply = await replay('dies');
      expect(reply.status, reply.text).to.equal(200);
      return reply;
    }, 'the key has its outcome');

    expect(outcome.headers['idempotent-replayed']).to.equal('true');
    expect(receiver.requests).to.have.lengthOf(2);
    expect(await replayed()).to.have.lengthOf(1);

    const conflict = await tenant.rest.delete('/v1/webhooks/endpoints/whs_1', { key: 'dies' });
    expect(toProblem(conflict, 409).code).to.equal('idempotency_key_conflict');
  });

  it('H76: refuses another operation under the key of a replay that was recorded meanwhile', async () => {
    await endWorkers();
    toProblem(await replay('mixed'), 503);
    await service.startWorker();
    await eventually(async () => {
      expect(await replayed()).to.have.lengthOf(1);
    }, 'a worker settles it');
    const other = await tenant.rest.delete('/v1/webhooks/endpoints/whs_1', { key: 'mixed' });
    expect(toProblem(other, 409).code).to.equal('idempotency_key_conflict');
    const outcome = await replay('mixed');
    expect(outcome.status, outcome.text).to.equal(200);
    expect(outcome.headers['idempotent-replayed']).to.equal('true');
  });

  it('H76: says why a replay was cancelled before its first attempt, and frees the key', async () => {
    await endWorkers();

    const asked = replay('cancelled');

    await eventually(async () => {
      const pendingDeliveries = await service.database.query(
        `select from pending_delivery where lane = 'replay' and account_id = $1`,
        [tenant.account],
      );
      expect(pendingDeliveries).to.have.lengthOf(1);
    }, 'the replay has begun');

    const [{ id } = { id: '' }] = await service.database.query<{ id: string }>(
      'select id from endpoint where account_id = $1',
      [tenant.account],
    );

    const path = `/v1/webhooks/endpoints/${id}`;
    expect((await tenant.rest.patch(path, { active: false })).status).to.equal(200);
    expect(toProblem(await asked, 409).code).to.equal('endpoint_inactive');
    expect(toProblem(await replay('cancelled'), 409).code).to.equal('endpoint_inactive');
    expect((await tenant.rest.patch(path, { active: true })).status).to.equal(200);
    await service.startWorker();
    expect((await replay('cancelled')).status).to.equal(200);
  });
});
