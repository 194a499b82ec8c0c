import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { answer, gateway } from '../support/behaviours.js';
import { makeDue, secondsUntilNext, recordedAs } from '../support/delivery-records.js';
import {
  createEndpoint,
  dataOf,
  deliveriesPath,
  type DeliveryBody,
  type EndpointBody,
  endpointsPath,
  toProblem,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver, verify } from '../support/receiver.js';
import { redisMissing, type RedisServer, startRedis } from '../support/redis.js';
import type { Ask, RestClient } from '../support/rest-client.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

interface Fixture {
  readonly tenant: Tenant;
  readonly rest: RestClient;
  readonly endpoint: EndpointBody & { readonly signing_secret: string };
  /** A record whose event was taken. */
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

    it('H76, A13: answers 200 with a failed first attempt too, which is tried again', async () => {
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

    it('H43, H76: answers the same again under the same key, and sends nothing twice', async () => {
      const { rest, delivered } = await arrange(current());
      const ask = { key: randomUUID() };
      const first = await replayed(rest, delivered, ask);
      const second = await replay(rest, delivered, ask);
      expect(dataOf(second, 200)).to.deep.equal(first);
      expect(second.headers).to.include({ 'idempotent-replayed': 'true' });
      expect(receiver.requests.length).to.equal(2);
    });
  };

  describe('on PostgreSQL', () => answers(() => service));

  describe('on Redis', () => {
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

  it('H78: takes any record, replays included, and the attempts of the original go on', async () => {
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

  it('H79, A11: is refused with 400, 401, 403 and 404', async () => {
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

  it('H79, A11: is refused with 409 for an inactive endpoint and for a key of another request', async () => {
    const { tenant, rest, endpoint, delivered } = await arrange();
    const key = randomUUID();
    await replayed(rest, delivered, { key });
    const [other] = await recordedAs(rest, await tenant.publish({}), ['success']);
    const conflict = await replay(rest, other, { key });
    expect(toProblem(conflict, 409).code).to.equal('idempotency_key_conflict');
    await rest.patch(`${endpointsPath}/${endpoint.id}`, { active: false });
    expect(toProblem(await replay(rest, other), 409).code).to.equal('endpoint_inactive');
  });

  it('H66, H79, A11: is refused with 422 for what cannot be sent again', async () => {
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

  it('H48, H79: is refused with 409 while an attempt for the same event and endpoint runs', async () => {
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

  it('H48, H79: makes one replay at a time, and each key gets its own response', async () => {
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

  it('H79, H80, A11: is refused with 429 beyond its own limit of 600 per minute', async () => {
    const { rest } = await createTenant(service);
    const unknown = { id: 'whd_0000000000000000000000AB' };
    expect((await replay(rest, unknown)).status).to.equal(404);

    const statuses = new Map<number, number>();
    let left = 599;

    // Without a key they are refused soonest: all must fall into one minute, on slow machines too.
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
