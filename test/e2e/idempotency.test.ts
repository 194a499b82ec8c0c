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
import { type Reply, type RestClient, sendRaw } from '../support/rest-client.js';
import { sharedService, type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { call, publicOperations } from '../support/every-operation.js';
import { internalDocuments } from '../../src/http/graphql/generated/known-documents.js';
import { createCheckout } from '../support/sales.js';
import { sampleOf } from '../support/random.js';

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

  it('H40: a key belongs to its account, whichever credential uses it', async () => {
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

  it('H41: recognises a request by its method, its path and the value of its body', async () => {
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

  it('H42, A2: refuses a used key for another body, method or path', async () => {
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

  it('H43: repeats status, body and Location, with fresh headers', async () => {
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

  it('H43: repeats the response of every operation of endpoints', async () => {
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

  it('H44, A1: frees a key after a refusal, for any request', async () => {
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

  it('H45, A4: keeps a key for 24 hours after the first request was completed', async () => {
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

  it('H46: repeats the stored response after any change of the endpoint', async () => {
    const key = randomUUID();
    const first = await create(key);
    const path = `${endpointsPath}/${idOf(first)}`;
    await rest.patch(path, { description: 'Changed', active: false });
    expect((await create(key)).text).to.equal(withoutSecret(first));
    await rest.delete(path);
    expect((await create(key)).text).to.equal(withoutSecret(first));
    expect((await rest.get(path)).status).to.equal(404);
  });

  it('H47: checks a key after the credential and before the body, and claims it before id and fields', async () => {
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

  it('H48, A3: refuses every other request under a key while the first one runs', async () => {
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

  it('H48: lets one of many concurrent requests under a key take effect', async () => {
    const client = (await createTenant(service)).rest;
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(key, {}, client)));
    const created = replies.filter(
      ({ status, headers }) => status === 201 && !('idempotent-replayed' in headers),
    );
    expect(created).to.have.lengthOf(1);
    for (const reply of replies) {
      if (reply.status === 201) expect(idOf(reply)).to.equal(idOf(created[0]!));
      else expect(toProblem(reply, 409).code).to.equal('idempotency_key_in_progress');
    }
    expect(((await client.get(endpointsPath)).body as List<EndpointBody>).data).to.have.lengthOf(1);
  });

  describe('a service with its own rate limit', () => {
    let limitedService: Service;

    before(async () => {
      limitedService = await startService({ workers: 0, environment: { RATE_LIMIT: '20' } });
    });
    after(() => limitedService.stop());

    it('H47: checks a key after the rate limit', async () => {
      const limited = await createTenant(limitedService);
      for (let count = 0; count < 20; count += 1) await limited.rest.get(endpointsPath);
      const ask = (client: RestClient) => client.send('POST', endpointsPath, { key: null });
      expect((await ask(limited.rest)).status).to.equal(429);
      expect((await ask(await limited.client({ kind: 'live', role: 'viewer' }))).status).to.equal(
        403,
      );
      expect((await ask(limited.rest.as('sk_live_x'))).status).to.equal(401);
      expect((await ask((await createTenant(limitedService)).rest)).status).to.equal(400);
    });
  });

  async function age(key: string, interval: string): Promise<void> {
    await service.database.query(
      `update idempotency_record set expires_at = expires_at - $3::interval
        where account_id = $1 and key = $2`,
      [tenant.account, key, interval],
    );
  }

  function idOf(reply: Reply): string {
    expect(reply.status, reply.text).to.equal(201);
    return endpointOf(reply).id;
  }
});

function endpointOf({ body }: Reply): EndpointBody {
  return (body as Envelope<EndpointBody>).data;
}

/** What is left of the quota. */
function leftOf({ headers }: Reply): number {
  return Number(/;r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
}

/** The text of a reply without the secret that only the first one shows. */
function withoutSecret({ text }: Reply): string {
  return text.replace(/,"signing_secret":"\w+"|"signing_secret":"\w+",/, '');
}

describe('the Idempotency-Key header', () => {
  let url: string;
  let rest: RestClient;

  before(async () => {
    const service = await sharedService();
    ({ url } = service);
    ({ rest } = await createTenant(service));
  });

  it('H51, A5, A45: requires the header, and treats an empty or blank one as missing', async () => {
    for (const line of [
      undefined,
      'Idempotency-Key:',
      'Idempotency-Key: ',
      'Idempotency-Key: \t ',
    ]) {
      const { code, errors } = toProblem(await raw(line === undefined ? [] : [line]), 400);
      expect(code).to.equal('idempotency_key_required');

      expect(errors).to.deep.equal([
        {
          code,
          detail: 'This operation requires an Idempotency-Key header of 1 to 255 characters.',
          param: 'Idempotency-Key',
        },
      ]);
    }
  });

  it('H52, A6: accepts at most 255 code points', async () => {
    for (const character of ['x', 'é', '🎉', '🇩']) {
      expect((await rawKey(character.repeat(255))).status, character).to.equal(201);
      expect(keyRefusalOf(await rawKey(character.repeat(256))), character).to.equal('too_long');
    }
  });

  it('H53: accepts only UTF-8', async () => {
    expect((await rawKey('clé-Ключ-鍵-🔑')).status).to.equal(201);
    const issues = {
      E9: [0xe9],
      'C0 80': [0xc0, 0x80],
      'ED A0 80': [0xed, 0xa0, 0x80],
      F5: [0xf5],
    };
    for (const [name, bytes] of Object.entries(issues)) {
      const key = Buffer.concat([Buffer.from('a'), Buffer.from(bytes), Buffer.from('b')]);
      expect(keyRefusalOf(await rawKey(key)), name).to.equal('invalid_encoding');
    }
  });

  it('H54: refuses a NUL byte in a key; in another header it makes the request malformed', async () => {
    expect(keyRefusalOf(await rawKey('a\0b'))).to.equal('nul_byte');
    expect(keyRefusalOf(await raw(['iDEMPOTENCY-kEY: \0']))).to.equal('nul_byte');
    const { code } = toProblem(
      await raw(['X-Other: a\0b', `Idempotency-Key: ${randomUUID()}`]),
      400,
    );
    expect(code).to.equal('malformed_request');
    expect((await rest.post(endpointsPath, endpointInput())).status).to.equal(201);
  });

  it('H55: refuses a repeated header, and takes a comma as part of the key', async () => {
    const key = randomUUID();
    for (const lines of [
      [`Idempotency-Key: ${key}`, `Idempotency-Key: ${key}`],
      [`Idempotency-Key: ${key}`, `idempotency-key: other`],
      [`Idempotency-Key: ${key}`, 'Idempotency-Key:'],
    ]) {
      expect(keyRefusalOf(await raw(lines))).to.equal('repeated_header');
    }
    const first = await rawKey(`${key}, ${key}`);
    expect(first.status).to.equal(201);
    expect(idOf(await rawKey(`${key}, ${key}`))).to.equal(idOf(first));
    expect((await rawKey(key)).headers).not.to.have.property('idempotent-replayed');
  });

  it('H56: takes a key literally, quotation marks included', async () => {
    const key = randomUUID();
    const ids = [];
    for (const value of [key, `"${key}"`, `'${key}'`, key.toUpperCase(), `${key} x`]) {
      const reply = await rawKey(value);
      expect(reply.headers, value).not.to.have.property('idempotent-replayed');
      ids.push(idOf(reply));
    }
    expect(new Set(ids)).to.have.lengthOf(5);
    expect(
      idOf(await rawKey(`  ${key}\t`)),
      'white space around a value is not part of it',
    ).to.equal(ids[0]);
  });

  it('H57: every operation that changes something requires a key', async () => {
    for (const operation of publicOperations) {
      const reply = await call(rest, operation, undefined, { key: null });
      if (operation.method === 'GET') expect(reply.status, operation.id).to.be.oneOf([200, 404]);
      else expect(toProblem(reply, 400).code, operation.id).to.equal('idempotency_key_required');
    }
  });

  it('H50: GET and HEAD ignore a key, even a malformed one', async () => {
    const key = randomUUID();
    await rest.post(endpointsPath, endpointInput(), { key });

    for (const method of ['GET', 'HEAD']) {
      for (const lines of [
        [Buffer.from('Idempotency-Key: \u00e9', 'latin1')],
        ['Idempotency-Key: a', 'Idempotency-Key: b'],
        [`Idempotency-Key: ${'x'.repeat(300)}`],
        [`Idempotency-Key: ${key}`],
      ]) {
        const { status, headers } = await raw(lines, method);
        expect(status, `${method} ${lines.join('; ')}`).to.equal(200);
        expect(headers).not.to.have.property('idempotent-replayed');
      }
    }
  });

  /** Sends these header lines byte by byte, with the body of a create request. */
  function raw(lines: readonly (string | Buffer)[], method = 'POST'): Promise<Reply> {
    const body = method === 'POST' ? JSON.stringify(endpointInput()) : '';
    const usual = [
      `${method} ${endpointsPath} HTTP/1.1`,
      'Host: api.example',
      'Connection: close',
      `Authorization: Bearer ${rest.token}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];

    const bytes = [...usual, ...lines, '', body].map((line, index) =>
      Buffer.concat([Buffer.from(index === 0 ? '' : '\r\n'), Buffer.from(line as string)]),
    );
    return sendRaw(url, Buffer.concat(bytes));
  }

  function rawKey(key: string | Buffer): Promise<Reply> {
    return raw([Buffer.concat([Buffer.from('Idempotency-Key: '), Buffer.from(key as string)])]);
  }

  function idOf({ status, text, body }: Reply): string {
    expect(status, text).to.equal(201);
    return (body as Envelope<EndpointBody>).data.id;
  }
});

/** The one reason of an invalid_idempotency_key (A45). */
function keyRefusalOf(reply: Reply): string | undefined {
  const { code, errors } = toProblem(reply, 400);
  expect(code).to.equal('invalid_idempotency_key');
  expect(errors.map(({ param }) => param)).to.deep.equal(['Idempotency-Key']);
  return errors[0]?.code;
}

/** How often each operation is sent. */
const times = 4;

describe('an operation of /graphql that is sent again', () => {
  let service: Service;
  let tenant: Tenant;
  let internal: string;
  let dashboard: string;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    ({ token: internal } = await tenant.credential({ kind: 'internal' }));
    ({ token: dashboard } = await tenant.credential({ kind: 'dashboard', role: 'viewer' }));
  });

  /** Sends an operation. @returns status, type and text of the response */
  async function send(body: object, token = internal): Promise<string> {
    const response = await fetch(`${service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const type = response.headers.get('content-type');
    return `${response.status} ${String(type)} ${await response.text()}`;
  }

  /** Sends an operation several times. @returns each different response */
  async function responses(query: string, variables: object, token = internal): Promise<string[]> {
    const different = new Set<string>();
    for (let time = 1; time <= times; time += 1)
      different.add(await send({ query, variables }, token));
    return [...different];
  }

  it('H128: /graphql gives a repeated operation the same response each time', async () => {
    const list =
      'query ($of: ID) { webhookEndpoints(account: $of) { data { id } page { hasMore } } }';
    const cases: [string, object, RegExp][] = [
      [list, { of: tenant.account }, /^200 application\/json; charset=utf-8 \{"data":/],
      [list, { of: 'acc_unknown' }, /^200 .*"code":"not_found"/],
      [list, { of: [7] }, /^400 .*"code":"BAD_USER_INPUT"/],
      ['query ($n: Int) { accounts { id }', {}, /^400 .*"code":"GRAPHQL_PARSE_FAILED"/],
    ];
    for (const [query, variables, expected] of cases) {
      const replies = await responses(query, variables);
      expect(replies, query).to.have.length(1);
      expect(replies[0]).to.match(expected);
    }
  });

  it('H128: /graphql checks limits and permissions of a repeated operation each time', async () => {
    const retire = 'mutation ($id: ID!) { retireEventType(id: $id) { id } }';
    await responses(retire, { id: 'no.such_type' });
    const refused = await responses(retire, { id: 'invoice.issued' }, dashboard);
    expect(refused.join()).to.match(/"code":"forbidden"/);

    const schema = '{ __schema { queryType { name } } }';
    expect((await responses(schema, {})).join()).to.match(/^200 /);
    expect((await responses(schema, {}, dashboard)).join()).to.match(/^403 /);

    const costly = `{ ${'accounts { id } '.repeat(400)} }`;
    expect((await responses(costly, {})).join()).to.match(/^400 .*GRAPHQL_PARSE_FAILED/);
  });

  it('H128, H290: answers a known document alike by its id and by an interpreted text', async () => {
    const checkout = await createCheckout(tenant);
    const { account } = tenant;
    const event = {
      account,
      type: 'invoice.issued',
      subject: 's',
      data: sampleOf('invoice.issued'),
    };

    // A call with a key that was used changes nothing and has the same response.
    const keyed = { ...event, key: 'H290' };

    await tenant.publish({ ...keyed });

    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`n${at}`, at]));
    const cases: Record<string, object[]> = {
      publishEvent: [
        { input: keyed },
        { input: { ...event, type: 'no.such' } },
        { input: { ...event, subject: '\0' } },
        { input: {} },
        { input: many },
        {},
      ],
      publishEvents: [
        { input: [keyed, { ...event, type: 'no.such' }, { ...event, subject: '\0' }] },
        { input: [keyed, { ...event, account: 'acc_000000000000000000000000' }], atomic: true },
        { input: [] },
        { input: Array.from({ length: 20 }, () => 7) },
      ],
      createCheckout: [{ input: { account, currency: 'XXX', successUrl: 'no', lineItems: [] } }],
      checkout: [
        { id: checkout, account },
        { id: 'chk_000000000000000000000000', account },
        { id: null },
      ],
      recordPayment: [
        { input: { checkout: 'chk_000000000000000000000000', buyerEmail: 'a@b.example' } },
      ],
      refundPayment: [
        { id: 'pay_000000000000000000000000', input: { amountMinorUnits: 1 }, account },
      ],
    };

    expect(Object.keys(cases)).to.have.members([...internalDocuments.keys()]);

    for (const [documentId, all] of Object.entries(cases)) {
      const text = internalDocuments.get(documentId) ?? '';

      for (const variables of all) {
        for (const token of [internal, dashboard]) {
          const byId = await send({ documentId, variables }, token);
          const interpreted = await send({ query: `${text} # not known`, variables }, token);
          const compact = text.replace(/\s+/g, ' ');
          expect(byId, documentId).to.equal(interpreted);
          expect(await send({ query: compact, variables }, token), compact).to.equal(
            await send({ query: `${compact} # not known`, variables }, token),
          );
        }
      }
    }
  });

  it('H290: refuses an id that the listener does not know, and an id together with a text', async () => {
    const unknown = await send({ documentId: 'webhooks.endpoints.list' });
    expect(unknown).to.match(/^400 application\/json; charset=utf-8 .*"code":"document_unknown"/);
    const query = internalDocuments.get('checkout') ?? '';
    const both = await send({ documentId: 'checkout', query, variables: { id: 'chk_1' } });
    expect(both).to.match(/^422 .*"code":"validation_failed".*"param":"query"/);
  });
});
