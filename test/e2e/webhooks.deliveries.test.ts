import { expect } from 'chai';
import { makeId } from '../../src/domain/values/id.js';
import { answer, gateway } from '../support/behaviours.js';
import {
  firstRecordedAs,
  recordedAs,
  makeDue,
  secondsUntilNext,
} from '../support/delivery-records.js';
import {
  createEndpoint,
  deliveriesPath,
  type DeliveryBody,
  endpointsPath,
  type List,
  listDeliveries,
  refusalsOf,
  dataOf,
  type EndpointBody,
  toProblem,
  endpointInput,
} from '../support/endpoints.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import type { RestClient, Ask } from '../support/rest-client.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.js';
import { redisMissing, type RedisServer, startRedis } from '../support/redis.js';

const required = [
  'id',
  'attempt',
  'max_attempts',
  'status',
  'created_at',
  'event_id',
  'event_type',
  'event_version',
  'test',
];
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('webhooks.deliveries.list', () => {
  let service: Service;
  let receiver: Receiver;
  let tenant: Tenant;
  let rest: RestClient;

  before(async () => {
    service = await sharedService();
    receiver = await startReceiver();
  });

  after(() => receiver.close());

  beforeEach(async () => {
    tenant = await createTenant(service);
    ({ rest } = tenant);
  });

  const subscribe = () => createEndpoint(rest, { url: receiver.url() });
  const deliver = async (status: number) => {
    receiver.script(answer(status, { 'retry-after': '3600' }));
    const event = await tenant.publish({});
    const [record] = await recordedAs(rest, event, [status < 300 ? 'success' : 'failed']);
    return record;
  };

  /** Inserts records by SQL. @returns the ids of all records of the account, newest first */
  const arrange = async (count: number): Promise<string[]> => {
    await subscribe();
    const { id } = await deliver(200);
    const ids = Array.from({ length: count - 1 }, (_, index) =>
      makeId('whd', new Date(Date.now() - 60_000 - index * 1_000)),
    );
    for (const copy of ids) await copyRecord(id, copy);
    return [id, ...ids];
  };

  const copyRecord = (id: string, copy: string) =>
    service.database.query(
      `insert into delivery
       select (jsonb_populate_record(d, jsonb_build_object('id', $2::text))).* from delivery d where id = $1`,
      [id, copy],
    );

  const page = async (query: string) =>
    (await rest.get(`${deliveriesPath}${query}`)).body as List<DeliveryBody>;

  it('H58: shows the members that every record has, and delivered_at only after a 2xx', async () => {
    await subscribe();

    const success = await deliver(200);
    expect(success).to.have.all.keys(...required, 'delivered_at', 'duration_ms', 'response_status');

    expect(success).to.include({
      attempt: 1,
      max_attempts: 10,
      status: 'success',
      response_status: 200,
      event_type: 'cart.order.completed',
      event_version: 'v1',
      test: false,
    });

    expect(success.id).to.match(/^whd_[0-9A-Za-z]{24}$/);
    expect(success.event_id).to.match(/^evt_[0-9A-Za-z]{24}$/);
    expect(success.created_at).to.match(instant);
    expect(success.delivered_at).to.match(instant);

    const took = Date.parse(success.delivered_at ?? '') - Date.parse(success.created_at);
    expect(took).to.be.within(0, 10_000);

    const failed = await deliver(500);
    expect(failed).to.have.all.keys(...required, 'duration_ms', 'response_status');
    expect(failed).to.include({ status: 'failed', response_status: 500 });
  });

  it('H58: leaves out duration_ms when nothing was sent, and response_status when no response came', async () => {
    const { id } = await subscribe();
    await service.database.query(`update endpoint set url = 'https://10.1.2.3/' where id = $1`, [
      id,
    ]);
    const blocked = await firstRecordedAs(rest, await tenant.publish({}), 'failed');
    expect(blocked).to.have.all.keys(...required);
    await service.database.query(`update endpoint set url = 'https://127.0.0.1:1/' where id = $1`, [
      id,
    ]);
    const refused = await firstRecordedAs(rest, await tenant.publish({}), 'failed');
    expect(refused).not.to.have.any.keys('response_status', 'delivered_at');
  });

  it('H59, A17: shows one record per attempt, each with its own id', async () => {
    await subscribe();
    const first = await deliver(500);
    await service.database.query(
      "update pending_delivery set due_at = date_trunc('milliseconds', now()) where event_id = $1",
      [first.event_id],
    );
    const [again, second] = await recordedAs(rest, first.event_id, ['failed', 'success']);
    expect(again).to.deep.equal(first);
    expect([first.attempt, second.attempt]).to.deep.equal([1, 2]);
    expect(second.id > first.id).to.equal(true);
    expect(second.created_at > first.created_at).to.equal(true);
  });

  it('H30: filters by each status and refuses others', async () => {
    const { id } = await subscribe();
    const success = await deliver(200);
    const abandoned = await deliver(503);

    await rest.patch(`${endpointsPath}/${id}`, { active: false });
    await rest.patch(`${endpointsPath}/${id}`, { active: true });

    const failed = await deliver(503);
    const idsOf = async (status: string) =>
      (await listDeliveries(rest, `?status=${status}`)).map((record) => record.id);
    expect(await idsOf('success')).to.deep.equal([success.id]);
    expect(await idsOf('abandoned')).to.deep.equal([abandoned.id]);
    expect(await idsOf('failed')).to.deep.equal([failed.id]);

    for (const wrong of ['pending', 'SUCCESS', 'active']) {
      const refused = await rest.get(`${deliveriesPath}?status=${wrong}`);
      expect(refusalsOf(refused)).to.deep.equal(['status: invalid_value']);
    }
  });

  it('H31: returns 20 by default, and refuses a limit outside 1 to 100', async () => {
    const ids = await arrange(23);
    expect((await listDeliveries(rest)).map(({ id }) => id)).to.deep.equal(ids.slice(0, 20));
    expect((await listDeliveries(rest, '?limit=1')).length).to.equal(1);
    expect((await listDeliveries(rest, '?limit=100')).length).to.equal(23);
    for (const limit of ['0', '101', '-1', '1.5', 'ten', '', '1e1']) {
      const refused = await rest.get(`${deliveriesPath}?limit=${limit}`);
      expect(refusalsOf(refused).join()).to.match(
        /^limit: (out_of_range|invalid_type|invalid_value)$/,
      );
    }
  });

  it('H32, H33, H34, A8: pages newest first, each record once, while records are added', async () => {
    const ids = await arrange(7);
    const walked: string[] = [];
    let query = '?limit=3';
    for (let pages = 1; ; pages += 1) {
      const { data, page: at } = await page(query);
      walked.push(...data.map(({ id }) => id));
      if (pages === 1) await copyRecord(ids[0] ?? '', makeId('whd', new Date(Date.now() + 1_000)));
      expect(at.has_more).to.equal(pages < 3);

      if (!at.has_more) {
        expect(at).not.to.have.property('next_cursor');
        expect(pages).to.equal(3);
        break;
      }

      expect(at.next_cursor?.length).to.be.within(1, 512);
      query = `?limit=3&cursor=${at.next_cursor ?? ''}`;
    }

    expect(walked).to.deep.equal(ids);
  });

  it('H36: refuses a cursor that is changed, of another list or of another filter', async () => {
    await arrange(3);
    await createEndpoint(rest);

    const { next_cursor: cursor = '' } = (await page('?limit=1')).page;
    const { next_cursor: filtered = '' } = (await page('?limit=1&status=success')).page;
    const endpoints = await rest.get(`${endpointsPath}?limit=1`);
    const { next_cursor: foreign = '' } = (endpoints.body as List<object>).page;
    const other = (await createTenant(service)).rest;
    const refused = [
      await rest.get(`${deliveriesPath}?cursor=${cursor.slice(0, -2)}AA`),
      await rest.get(`${deliveriesPath}?cursor=none`),
      await rest.get(`${deliveriesPath}?cursor=${foreign}`),
      await rest.get(`${deliveriesPath}?cursor=${cursor}&status=success`),
      await rest.get(`${deliveriesPath}?cursor=${filtered}`),
      await other.get(`${deliveriesPath}?cursor=${cursor}`),
    ];
    for (const reply of refused) {
      expect(refusalsOf(reply)).to.deep.equal(['cursor: invalid_cursor']);
    }

    expect((await page(`?limit=2&cursor=${cursor}`)).data.length).to.equal(2);
  });

  it('H37, A9: refuses unknown, repeated and empty parameters, all in one answer', async () => {
    const refused = await rest.get(`${deliveriesPath}?limit=1&limit=2&status=&page=2`);
    expect(refusalsOf(refused)).to.have.members([
      'limit: invalid_value',
      'status: invalid_value',
      'page: unknown_parameter',
    ]);
  });

  it('H39: shows the records of its own account only', async () => {
    await subscribe();
    await deliver(200);
    const other = await createTenant(service);
    expect(await listDeliveries(other.rest)).to.deep.equal([]);
  });

  it('H66: shows records for 30 days', async () => {
    await subscribe();
    const { id } = await deliver(200);
    await makePartitionOfThePast();
    const day = 86_400_000;
    const idOfAge = (ms: number) => makeId('whd', new Date(Date.now() - ms));
    const young = idOfAge(30 * day - 60_000);
    for (const copy of [young, idOfAge(30 * day + 60_000)]) await copyRecord(id, copy);
    const listed = await listDeliveries(rest);
    expect(listed.map((record) => record.id)).to.deep.equal([id, young]);
  });

  async function makePartitionOfThePast(): Promise<void> {
    const [row] = await service.database.query<{ bound: string }>(
      `select min(split_part(pg_get_expr(c.relpartbound, c.oid), '''', 2)) as bound
         from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'delivery'::regclass and c.relname <> 'delivery_past'`,
    );
    await service.database.query(
      `create table if not exists delivery_past partition of delivery
       for values from ('whd_0') to ('${row?.bound ?? ''}')`,
    );
  }
});

interface Fixture {
  readonly tenant: Tenant;
  readonly rest: RestClient;
  readonly endpoint: EndpointBody & { readonly signing_secret: string };
  /** A record of an accepted event. */
  readonly delivered: DeliveryBody;
}

const postponed = answer(503, { 'retry-after': '3600' });

describe('webhooks.deliveries.replay', () => {
  let service: Service;
  let receiver: Receiver;

  before(async () => {
    service = await sharedService();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const arrange = async (at = service): Promise<Fixture> => {
    const tenant = await createTenant(at);
    const { rest } = tenant;
    const endpoint = await createEndpoint(rest, { url: receiver.url('/first') });
    const [delivered] = await recordedAs(rest, await tenant.publish({}), ['success']);
    return { tenant, rest, endpoint, delivered };
  };

  const replay = (rest: RestClient, { id }: { readonly id: string }, ask: Ask = {}) =>
    rest.post(`${deliveriesPath}/${id}/replay`, undefined, ask);
  const replayed = async (rest: RestClient, delivery: DeliveryBody, ask: Ask = {}) =>
    dataOf<DeliveryBody>(await replay(rest, delivery, ask), 200);

  const answers = (current: () => Service) => {
    it('H76, A12, A13: answers with the record of its first attempt, made while the caller waits', async () => {
      const { rest, delivered } = await arrange(current());
      const record = await replayed(rest, delivered);
      expect(record).to.include({
        status: 'success',
        attempt: 1,
        max_attempts: 10,
        event_id: delivered.event_id,
        replayed_from: delivered.id,
        response_status: 200,
      });

      expect(record.id).not.to.equal(delivered.id);

      const [, listed] = await recordedAs(rest, delivered.event_id, ['success', 'success']);
      expect(listed).to.deep.equal(record);
    });

    it('H76, A13: answers 200 also when the first attempt fails, and tries again', async () => {
      const { rest, delivered } = await arrange(current());
      receiver.script(answer(500));
      const failed = await replayed(rest, delivered);
      expect(failed).to.include({ status: 'failed', attempt: 1, response_status: 500 });
      expect(await secondsUntilNext(current(), failed)).to.be.within(4.4, 6.5);
      await makeDue(current(), delivered.event_id);
      const [, , again] = await recordedAs(rest, delivered.event_id, [
        'success',
        'failed',
        'success',
      ]);
      expect(again).to.include({ attempt: 2, replayed_from: delivered.id });
    });

    it('H43, H76: repeats the answer under the same key, and sends nothing twice', async () => {
      const { rest, delivered } = await arrange(current());
      const ask = { key: randomUUID() };
      const first = await replayed(rest, delivered, ask);
      const second = await replay(rest, delivered, ask);
      expect(dataOf(second, 200)).to.deep.equal(first);
      expect(second.headers).to.include({ 'idempotent-replayed': 'true' });
      expect(receiver.requests.length).to.equal(2);
    });
  };

  describe('replays with the queue on PostgreSQL', () => answers(() => service));

  describe('replays with the queue on Redis', () => {
    if (redisMissing !== undefined) {
      it(redisMissing);
      return;
    }

    let redis: RedisServer;
    let onRedis: Service;
    before(async () => {
      redis = await startRedis();
      onRedis = await startService({ environment: { REDIS_URL: redis.url } });
    });

    after(async () => {
      await onRedis.stop();
      await redis.stop();
    });

    answers(() => onRedis);
  });

  it('H77: sends the same bytes and event to the present url, signed with the present secrets', async () => {
    const { rest, endpoint, delivered } = await arrange();
    const path = `${endpointsPath}/${endpoint.id}`;
    await rest.patch(path, { url: receiver.url('/second') });

    const rotated = await rest.post(`${path}/secret-rotations`);
    const { signing_secret: newest } = dataOf<{ signing_secret: string }>(rotated, 200);

    await service.database.query(
      `update endpoint_secret set expires_at = now() - interval '1 second' where endpoint_id = $1 and expires_at is not null`,
      [endpoint.id],
    );

    const record = await replayed(rest, delivered);
    const [before, after] = receiver.requests;
    if (!before || !after) throw new Error('two requests were expected');

    expect(after.path).to.equal('/second');
    expect(after.body).to.deep.equal(before.body);

    expect(after.headers).to.include({
      'webhook-id': delivered.event_id,
      'x-service-delivery-id': record.id,
      'x-service-attempt': '1',
      'x-service-timestamp': String(Math.floor(Date.parse(record.created_at) / 1_000)),
    });

    expect(verify(after, newest)).to.deep.equal({ service: true, standard: true });

    expect(verify(after, endpoint.signing_secret)).to.deep.equal({
      service: false,
      standard: false,
    });
  });

  it('H78: accepts any record, even a replay, and the attempts of the original go on', async () => {
    const { tenant, rest, delivered } = await arrange();
    const second = await replayed(rest, await replayed(rest, delivered));
    expect(second.event_id).to.equal(delivered.event_id);
    receiver.script(answer(500));

    const [once] = await recordedAs(rest, await tenant.publish({ test: true }), ['abandoned']);
    expect(await replayed(rest, once)).to.include({ status: 'success', test: true });
    receiver.script(postponed);

    const [failed] = await recordedAs(rest, await tenant.publish({}), ['failed']);
    expect(await replayed(rest, failed)).to.include({ status: 'success', attempt: 1 });
    expect(await secondsUntilNext(service, failed)).to.be.within(3_590, 3_601);
    await makeDue(service, failed.event_id);

    const [original, , next] = await recordedAs(rest, failed.event_id, [
      'failed',
      'success',
      'success',
    ]);

    expect(original).to.deep.equal(failed);
    expect(next).to.include({ attempt: 2 }).and.not.to.have.property('replayed_from');
  });

  it('H79, A11: answers 400, 401, 403 and 404 to what it refuses', async () => {
    const { tenant, rest, delivered } = await arrange();
    const path = `${deliveriesPath}/${delivered.id}/replay`;
    const noKey = await rest.post(path, undefined, { key: null });
    expect(toProblem(noKey, 400).code).to.equal('idempotency_key_required');

    const stranger = await rest.as('sk_live_unknown').post(path);
    expect(toProblem(stranger, 401).code).to.equal('unauthorized');

    const viewer = await tenant.client({ kind: 'live', role: 'viewer' });
    expect(toProblem(await viewer.post(path), 403).code).to.equal('forbidden');

    const { rest: other } = await createTenant(service);
    expect(toProblem(await other.post(path), 404).code).to.equal('not_found');

    const unknown = { id: 'whd_0000000000000000000000AB' };
    expect(toProblem(await replay(rest, unknown), 404).code).to.equal('not_found');
    expect(receiver.requests.length).to.equal(1);
  });

  it('H79, A11: answers 409 for an inactive endpoint and for a key of another request', async () => {
    const { tenant, rest, endpoint, delivered } = await arrange();
    const key = randomUUID();
    await replayed(rest, delivered, { key });
    const [other] = await recordedAs(rest, await tenant.publish({}), ['success']);
    const conflict = await replay(rest, other, { key });
    expect(toProblem(conflict, 409).code).to.equal('idempotency_key_conflict');
    await rest.patch(`${endpointsPath}/${endpoint.id}`, { active: false });
    expect(toProblem(await replay(rest, other), 409).code).to.equal('endpoint_inactive');
  });

  it('H66, H79, A11: answers 422 for what cannot be sent again', async () => {
    const { tenant, rest, endpoint, delivered } = await arrange();
    const path = `${endpointsPath}/${endpoint.id}`;
    const reason = async (delivery: DeliveryBody) => {
      const { code, errors } = toProblem(await replay(rest, delivery), 422);
      expect(code).to.equal('delivery_not_replayable');
      return errors.map((entry) => entry.code);
    };

    const [old] = await recordedAs(rest, await tenant.publish({}), ['success']);
    await service.database.query(
      `update event set created_at = now() - interval '30 days 1 minute' where id = $1`,
      [old.event_id],
    );

    expect(await reason(old)).to.deep.equal(['payload_expired']);
    await rest.put(`${path}/event-subscriptions`, { event_types: ['invoice.issued'] });
    expect(await reason(delivered)).to.deep.equal(['event_type_not_subscribed']);
    await rest.delete(path);
    expect(await reason(delivered)).to.deep.equal(['endpoint_deleted']);
    expect(receiver.requests.length).to.equal(2);
  });

  it('H48, H79: answers 409 while an attempt for the same event and endpoint runs', async () => {
    const { rest, tenant } = await arrange();
    receiver.script(postponed);
    const [failed] = await recordedAs(rest, await tenant.publish({}), ['failed']);
    const { hold, release } = gateway();
    receiver.script(hold);
    await makeDue(service, failed.event_id);
    await receiver.next(({ headers }) => headers['x-service-attempt'] === '2');
    const refused = await replay(rest, failed);
    expect(toProblem(refused, 409).code).to.equal('delivery_in_progress');
    release();
    await recordedAs(rest, failed.event_id, ['failed', 'success']);
    expect(await replayed(rest, failed)).to.include({ status: 'success' });
  });

  it('H48, H79: makes one replay at a time, and gives each key its own response', async () => {
    const { rest, delivered } = await arrange();
    const { hold, release } = gateway();
    receiver.script(hold);

    const keys = Array.from({ length: 6 }, () => randomUUID());
    const waiting = keys.map((key) => replay(rest, delivered, { key }));

    await receiver.next(({ headers }) => headers['x-service-delivery-id'] !== delivered.id);

    const refusals = [...waiting];
    const early = await Promise.all(
      refusals.map((one) => Promise.race([one, eventuallyUndefined(waiting)])),
    );
    const answered = early.filter((reply) => reply !== undefined);
    expect(answered.map((reply) => toProblem(reply, 409).code)).to.deep.equal(
      Array<string>(5).fill('delivery_in_progress'),
    );

    const open = keys[early.indexOf(undefined)] ?? '';
    const same = await replay(rest, delivered, { key: open });
    expect(toProblem(same, 409).code).to.equal('idempotency_key_in_progress');
    expect(same.headers).to.include({ 'retry-after': '1' });
    release();

    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.toSorted()).to.deep.equal([200, 409, 409, 409, 409, 409]);
    expect(receiver.requests.length).to.equal(2);
  });

  it('H79, H80, A11: answers 429 beyond its own limit of 600 per minute', async () => {
    const { rest } = await createTenant(service);
    const unknown = { id: 'whd_0000000000000000000000AB' };
    expect((await replay(rest, unknown)).status).to.equal(404);

    const statuses = new Map<number, number>();
    let left = 599;

    // Requests without a key are refused fastest, so that all fall into one minute on slow machines, too.
    const lane = async () => {
      for (; left > 0;) {
        left -= 1;
        const { status } = await replay(rest, unknown, { key: null });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };

    await Promise.all(Array.from({ length: 20 }, lane));
    expect([...statuses]).to.deep.equal([[400, 599]]);

    const refused = await replay(rest, unknown);
    expect(toProblem(refused, 429).code).to.equal('rate_limit_exceeded');
    expect(refused.headers['ratelimit-policy']).to.equal('"replay";q=600;w=60');
    expect(refused.headers['ratelimit']).to.match(/^"replay";r=0;t=\d+$/);
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect((await rest.get(deliveriesPath)).status).to.equal(200);
  });
});

/** Resolves with undefined when all of `calls` but one have ended. */
async function eventuallyUndefined(calls: readonly Promise<unknown>[]): Promise<undefined> {
  let ended = 0;
  for (const call of calls) void call.finally(() => (ended += 1));
  await eventually(() => expect(ended).to.equal(calls.length - 1), 'all but one were answered');
  return undefined;
}

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

  it('H76: answers 503 and frees the key when the replay is dead-lettered', async () => {
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
