import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  createEndpoint,
  endpointInput,
  endpointsPath,
  type EndpointBody,
  type Envelope,
  type List,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import { untilLockIsAwaited } from '../support/engine.js';
import type { Reply, RestClient } from '../support/rest-client.js';
import { sharedService, type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

describe('idempotency keys', () => {
  let service: Service;
  let tenant: Tenant;
  let rest: RestClient;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ rest } = tenant);
  });

  const create = (key: string, changes: object = {}, by = rest) =>
    by.post(endpointsPath, endpointInput(changes), { key });

  const send = (key: string, text: string) =>
    rest.send('POST', endpointsPath, {
      key,
      bytes: text,
      headers: { 'content-type': 'application/json' },
    });

  it('H40: belong to the account, whichever credential uses them', async () => {
    const key = randomUUID();
    const first = await create(key);
    expect(first.status).to.equal(201);

    const others = [{ kind: 'legacy' }, { kind: 'dashboard' }, { kind: 'live', role: 'admin' }];
    for (const input of others as Parameters<Tenant['client']>[0][]) {
      const again = await create(key, {}, await tenant.client(input));
      expect(again.headers['idempotent-replayed']).to.equal('true');
      expect(idOf(again)).to.equal(idOf(first));
    }

    const elsewhere = await create(key, {}, (await createTenant(service)).rest);
    expect(elsewhere.status).to.equal(201);
    expect(elsewhere.headers).not.to.have.property('idempotent-replayed');
    expect(idOf(elsewhere)).not.to.equal(idOf(first));
  });

  it('H41: know a request again by method, path and the value of its body', async () => {
    const key = randomUUID();
    const first = await send(
      key,
      '{"url":"https://a.example/","event_types":["cart.order.completed"],"notification_email":"a@b.example"}',
    );
    expect(first.status).to.equal(201);
    const again = await send(
      key,
      ' {\n"notification_email" : "a\\u0040b.example", "event_types":[ "cart.order.completed" ],\t"url":"https:\\/\\/a.example\\/" }\r\n',
    );
    expect(idOf(again)).to.equal(idOf(first));
    expect(again.headers['idempotent-replayed']).to.equal('true');
  });

  it('H42, A2: are refused for another body, method or path', async () => {
    const key = randomUUID();
    const { id } = await createEndpoint(rest);
    const path = `${endpointsPath}/${id}`;
    expect((await rest.patch(path, { active: true }, { key })).status).to.equal(200);

    const others = [
      () => rest.patch(path, { active: false }, { key }),
      () => rest.patch(path, { active: true, description: null }, { key }),
      () => rest.patch(`${path}x`, { active: true }, { key }),
      () => rest.put(`${path}/event-subscriptions`, { active: true }, { key }),
      () => rest.post(`${path}/secret-rotations`, undefined, { key }),
      () => rest.delete(path, { key }),
      () => create(key),
    ];
    for (const other of others) {
      const { code, errors } = toProblem(await other(), 409);
      expect(code).to.equal('idempotency_key_conflict');
      expect(errors).to.deep.equal([
        { code, detail: 'This Idempotency-Key was already used with a different request.' },
      ]);
    }

    expect((await rest.patch(path, { active: true }, { key })).status).to.equal(200);
  });

  it('H43: answer again with status, body and Location, and fresh headers', async () => {
    const key = randomUUID();
    const first = await create(key);
    const again = await create(key);

    expect(first.headers).not.to.have.property('idempotent-replayed');
    expect(again.status).to.equal(201);

    expect(again.headers).to.include({
      'idempotent-replayed': 'true',
      location: first.headers['location'],
      'content-type': first.headers['content-type'],
      'cache-control': 'no-store',
    });

    expect(again.headers['x-request-id']).not.to.equal(first.headers['x-request-id']);
    expect(leftOf(again)).to.be.lessThan(leftOf(first));

    const { signing_secret: secret, ...stored } = endpointOf(first);
    expect(secret).to.be.a('string');
    expect(again.body).to.deep.equal({ data: stored });
  });

  it('H43: answer again on every operation of endpoints', async () => {
    const { id } = await createEndpoint(rest);
    const path = `${endpointsPath}/${id}`;
    const requests: ((key: string) => Promise<Reply>)[] = [
      (key) => rest.patch(path, { description: 'x' }, { key }),
      (key) =>
        rest.put(`${path}/event-subscriptions`, { event_types: ['cart.order.completed'] }, { key }),
      (key) => rest.post(`${path}/secret-rotations`, undefined, { key }),
      (key) => rest.delete(path, { key }),
    ];
    for (const request of requests) {
      const key = randomUUID();
      const first = await request(key);
      const again = await request(key);
      expect(again.status).to.equal(first.status);
      expect(again.headers['idempotent-replayed']).to.equal('true');
      expect(first.headers).not.to.have.property('idempotent-replayed');
      expect(again.text).to.equal(withoutSecret(first));
    }
  });

  it('H44, A1: are free again after a refusal, for any request', async () => {
    const key = randomUUID();
    const unknown = `${endpointsPath}/whs_0000000000000000000000AB`;
    expect(refusalsOf(await create(key, { url: 'http://x' }))).to.deep.equal([
      'url: invalid_format',
    ]);
    expect((await send(key, '{')).status).to.equal(400);
    expect((await rest.patch(unknown, {}, { key })).status).to.equal(404);
    expect((await rest.delete(unknown, { key })).status).to.equal(404);
    expect((await create(key, { event_types: ['foo.bar'] })).status).to.equal(422);
    const corrected = await create(key);
    expect(corrected.status).to.equal(201);
    expect(corrected.headers).not.to.have.property('idempotent-replayed');
  });

  it('H45, A4: hold for 24 hours after the first request was completed', async () => {
    const key = randomUUID();
    const first = await create(key);
    const [row] = await service.database.query<{ seconds: number }>(
      `select extract(epoch from expires_at - now())::float8 as seconds from idempotency_record
        where account_id = $1 and key = $2`,
      [tenant.account, key],
    );

    expect(row?.seconds).to.be.within(86_340, 86_400);
    await age(key, '23 hours 59 minutes');
    expect(idOf(await create(key))).to.equal(idOf(first));
    await age(key, '1 minute');

    const other = await create(key, { description: 'Another request' });
    expect(other.status).to.equal(201);
    expect(other.headers).not.to.have.property('idempotent-replayed');
    expect(idOf(await create(key, { description: 'Another request' }))).to.equal(idOf(other));
  });

  it('H46: repeat the stored response after any change of the endpoint', async () => {
    const key = randomUUID();
    const first = await create(key);
    const path = `${endpointsPath}/${idOf(first)}`;
    await rest.patch(path, { description: 'Changed', active: false });
    expect((await create(key)).text).to.equal(withoutSecret(first));
    await rest.delete(path);
    expect((await create(key)).text).to.equal(withoutSecret(first));
    expect((await rest.get(path)).status).to.equal(404);
  });

  it('H47: are checked after the credential and before the body, and claimed before id and fields', async () => {
    const used = randomUUID();
    expect((await create(used)).status).to.equal(201);

    const unknown = `${endpointsPath}/whs_0000000000000000000000AB`;
    const broken = { bytes: '{', headers: { 'content-type': 'application/json' } };
    const viewer = await tenant.client({ kind: 'live', role: 'viewer' });
    const stages: [string, Promise<Reply>][] = [
      ['unauthorized', rest.as('sk_live_x').send('PATCH', unknown, { ...broken, key: null })],
      ['forbidden', viewer.send('PATCH', unknown, { ...broken, key: null })],
      ['idempotency_key_required', rest.send('PATCH', unknown, { ...broken, key: null })],
      ['unsupported_media_type', rest.send('PATCH', unknown, { bytes: '{', key: used })],
      ['invalid_json', rest.send('PATCH', unknown, { ...broken, key: used })],
      ['idempotency_key_conflict', rest.patch(unknown, { url: 7 }, { key: used })],
      ['not_found', rest.patch(unknown, { url: 7 })],
      ['validation_failed', create(randomUUID(), { url: 7 })],
    ];
    for (const [code, reply] of stages) {
      expect(((await reply).body as { code: string }).code).to.equal(code);
    }
  });

  it('H48, A3: refuse every other request while the first one runs', async () => {
    const key = randomUUID();
    const { id } = await createEndpoint(rest);
    const path = `${endpointsPath}/${id}`;
    const holder = await service.database.hold(
      `select 1 from endpoint where id = '${id}' for update`,
    );
    const first = rest.patch(path, { description: 'First' }, { key });

    await untilLockIsAwaited(service.database);

    for (const reply of [
      await rest.patch(path, { description: 'First' }, { key }),
      await rest.patch(path, { description: 'Second' }, { key }),
      await rest.patch(path, { description: 7 }, { key }),
      await rest.delete(`${endpointsPath}/whs_0000000000000000000000AB`, { key }),
      await create(key),
    ]) {
      const { code, errors } = toProblem(reply, 409);
      expect(code).to.equal('idempotency_key_in_progress');
      expect(errors).to.deep.equal([
        { code, detail: 'The first request with this Idempotency-Key is still running.' },
      ]);
      expect(reply.headers['retry-after']).to.equal('1');
    }

    const other = (await createTenant(service)).rest;
    expect((await create(key, {}, other)).status).to.equal(201);
    await holder.release();
    expect(endpointOf(await first).description).to.equal('First');

    const again = await rest.patch(path, { description: 'First' }, { key });
    expect(again.headers['idempotent-replayed']).to.equal('true');
  });

  it('H48: let one of many requests at once have its effect', async () => {
    const own = (await createTenant(service)).rest;
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(key, {}, own)));
    const made = replies.filter(
      ({ status, headers }) => status === 201 && !('idempotent-replayed' in headers),
    );
    expect(made).to.have.lengthOf(1);
    for (const reply of replies) {
      if (reply.status === 201) expect(idOf(reply)).to.equal(idOf(made[0]!));
      else expect(toProblem(reply, 409).code).to.equal('idempotency_key_in_progress');
    }
    expect(((await own.get(endpointsPath)).body as List<EndpointBody>).data).to.have.lengthOf(1);
  });

  describe('of a service with its own rate limit', () => {
    let own: Service;

    before(async () => {
      own = await startService({ workers: 0, environment: { RATE_LIMIT: '20' } });
    });
    after(() => own.stop());

    it('H47: are checked after the rate limit', async () => {
      const limited = await createTenant(own);
      for (let count = 0; count < 20; count += 1) await limited.rest.get(endpointsPath);
      const ask = (client: RestClient) => client.send('POST', endpointsPath, { key: null });
      expect((await ask(limited.rest)).status).to.equal(429);
      expect((await ask(await limited.client({ kind: 'live', role: 'viewer' }))).status).to.equal(
        403,
      );
      expect((await ask(limited.rest.as('sk_live_x'))).status).to.equal(401);
      expect((await ask((await createTenant(own)).rest)).status).to.equal(400);
    });
  });

  async function age(key: string, interval: string): Promise<void> {
    await service.database.query(
      `update idempotency_record set expires_at = expires_at - $3::interval
        where account_id = $1 and key = $2`,
      [tenant.account, key, interval],
    );
  }
});

function endpointOf({ body }: Reply): EndpointBody {
  return (body as Envelope<EndpointBody>).data;
}

function idOf(reply: Reply): string {
  expect(reply.status, reply.text).to.equal(201);
  return endpointOf(reply).id;
}

/** What is left of the quota. */
function leftOf({ headers }: Reply): number {
  return Number(/;r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
}

/** The text of a reply without the secret that only the first one shows. */
function withoutSecret({ text }: Reply): string {
  return text.replace(/,"signing_secret":"\w+"|"signing_secret":"\w+",/, '');
}
