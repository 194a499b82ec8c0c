import { expect } from 'chai';
import {
  createEndpoint,
  dataOf,
  endpointInput,
  endpointsPath,
  type EndpointBody,
  toProblem,
  refusalsOf,
  comparable,
  type List,
  listDeliveries,
} from '../support/endpoints.js';
import type { RestClient, Reply } from '../support/rest-client.js';
import { sharedService, startService, type Service } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { randomUUID } from 'node:crypto';
import { answer } from '../support/behaviours.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

describe('webhooks.endpoints.create', () => {
  let rest: RestClient;

  before(async () => {
    ({ rest } = await createTenant(await sharedService()));
  });

  const create = (changes: object) => rest.post(endpointsPath, endpointInput(changes));

  const refusals = async (changes: object) => refusalsOf(await create(changes));

  it('H1, A18: answers 201 with every field, null where there is no value', async () => {
    const data = dataOf<EndpointBody>(await create({}), 201);
    expect(Object.keys(data).sort()).to.deep.equal([
      'active',
      'created_at',
      'description',
      'disabled_reason',
      'event_types',
      'id',
      'notification_email',
      'signing_secret',
      'updated_at',
      'url',
    ]);

    const { description, disabled_reason: reason } = data;
    expect({ description, reason }).to.deep.equal({ description: null, reason: null });
  });

  it('H2: creates an active endpoint unless the body says otherwise', async () => {
    expect((await createEndpoint(rest)).active).to.equal(true);
    expect((await createEndpoint(rest, { active: true })).active).to.equal(true);
    expect((await createEndpoint(rest, { active: false })).active).to.equal(false);
    expect(await refusals({ active: 'yes' })).to.deep.equal(['active: invalid_type']);
    expect(await refusals({ active: null })).to.deep.equal(['active: invalid_type']);
  });

  it('H3: keeps null, the empty string and 500 code points of description', async () => {
    for (const description of [null, '', 'x', '🎉'.repeat(500)]) {
      expect((await createEndpoint(rest, { description })).description).to.equal(description);
    }
    expect(await refusals({ description: '🎉'.repeat(501) })).to.deep.equal([
      'description: too_long',
    ]);
    expect(await refusals({ description: 7 })).to.deep.equal(['description: invalid_type']);
  });

  it('H4, A26: refuses a url that is not plain https with a host', async () => {
    for (const url of [
      'http://shop.example.com/',
      'HTTPS://shop.example.com/',
      'https:/shop.example.com/',
      'https://',
      'https:///path',
      'https://user@shop.example.com/',
      'https://user:secret@shop.example.com/',
      'https://shop.example.com/#part',
      'https://shop.example.com/a b',
      ' https://shop.example.com/',
      'https://shop.example.com/\n',
      'https://shop.example.com/\u0085',
      'https://shop.example.com:99999/',
      'https://[::1',
      'shop.example.com',
      '',
    ]) {
      expect(await refusals({ url }), url).to.deep.equal(['url: invalid_format']);
    }

    expect(await refusals({ url: 7 })).to.deep.equal(['url: invalid_type']);
    expect(await refusals({ url: null })).to.deep.equal(['url: invalid_type']);
  });

  it('H4: stores a url of 2048 code points as it was sent, and refuses a longer one', async () => {
    const base = 'https://Shop.Example.com:443/%7ea//b?q=%C3%BC';
    const url = base + 'x'.repeat(2048 - base.length);
    expect((await createEndpoint(rest, { url })).url).to.equal(url);
    expect(await refusals({ url: `${url}x` })).to.deep.equal(['url: too_long']);
  });

  it('H4: refuses literal addresses of networks that the operator has not allowed', async () => {
    for (const host of ['10.0.0.1', '169.254.169.254', '[::1]', '[fd00::1]', '0x0a000001', '0']) {
      const url = `https://${host}/`;
      expect(await refusals({ url }), url).to.deep.equal(['url: invalid_value']);
    }
  });

  it('H5: stores an e-mail address as it was sent, and refuses other texts', async () => {
    for (const address of ["o'Brien+hooks@Mail.Example.co.uk", `${'x'.repeat(242)}@example.com`]) {
      const created = await createEndpoint(rest, { notification_email: address });
      expect(created.notification_email).to.equal(address);
    }

    for (const address of [
      'nobody',
      '@example.com',
      'a@b',
      'a@b@example.com',
      ' a@example.com',
      'a@example.com ',
      'a b@example.com',
      'a@example.com\u0007',
      '',
    ]) {
      expect(await refusals({ notification_email: address }), address).to.deep.equal([
        'notification_email: invalid_format',
      ]);
    }

    expect(await refusals({ notification_email: `${'x'.repeat(243)}@example.com` })).to.deep.equal([
      'notification_email: too_long',
    ]);
  });

  it('H6: stores repeated event types once, in the order of their first mention', async () => {
    const wanted = ['payment.sale.succeeded', 'cart.order.completed', 'payment.sale.succeeded'];
    const created = await createEndpoint(rest, { event_types: wanted });
    expect(created.event_types).to.deep.equal(['payment.sale.succeeded', 'cart.order.completed']);
    expect(await refusals({ event_types: [] })).to.deep.equal(['event_types: too_few_items']);
    for (const types of [[7], ['cart.order.completed', null], 'cart.order.completed', {}, null]) {
      expect(await refusals({ event_types: types })).to.deep.equal(['event_types: invalid_type']);
    }
  });

  it('H7: accepts the same url any number of times', async () => {
    const one = await createEndpoint(rest);
    const other = await createEndpoint(rest);
    expect(one.url).to.equal(other.url);
    expect(one.id).not.to.equal(other.id);
  });

  it('H7: refuses an endpoint beyond ENDPOINTS_PER_ACCOUNT, over GraphQL too', async () => {
    const environment = { ENDPOINTS_PER_ACCOUNT: '2' };
    const service = await startService({ workers: 0, environment });
    try {
      const tenant = await createTenant(service);
      const creates = Array.from({ length: 6 }, () =>
        tenant.rest.post(endpointsPath, endpointInput({})),
      );
      const statuses = (await Promise.all(creates)).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([201, 201, 422, 422, 422, 422]);

      const problem = toProblem(await tenant.rest.post(endpointsPath, endpointInput({})), 422);
      expect(problem).to.include({ code: 'endpoint_limit_reached' });
      expect(problem.errors).to.deep.equal([
        { code: 'endpoint_limit_reached', detail: problem.detail },
      ]);

      const input = { url: 'https://shop.example/', eventTypes: ['cart.order.completed'] };
      const refused = await tenant
        .graphql(
          `mutation ($input: CreateWebhookEndpointInput!, $account: ID!) {
             createWebhookEndpoint(account: $account, input: $input) { id }
           }`,
          { account: tenant.account, input: { ...input, notificationEmail: 'ops@shop.example' } },
        )
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: 'endpoint_limit_reached' });
    } finally {
      await service.stop();
    }
  });

  it('H8: refuses every property that it does not know', async () => {
    expect(await refusals({ colour: 'red', Url: 1 })).to.have.members([
      'colour: unknown_property',
      'Url: unknown_property',
    ]);
  });

  it('H9: refuses properties that only the service sets', async () => {
    const fixed = ['id', 'created_at', 'updated_at', 'disabled_reason', 'signing_secret'];
    for (const name of fixed) {
      expect(await refusals({ [name]: 'x' })).to.deep.equal([`${name}: unknown_property`]);
    }
  });

  it('H12: creates ids of a prefix and 24 letters and digits, in the order of time', async () => {
    const one = await createEndpoint(rest);
    const other = await createEndpoint(rest);
    for (const { id } of [one, other]) expect(id).to.match(/^whs_[0-9A-Za-z]{24}$/);
    expect(one.id < other.id || one.created_at === other.created_at).to.equal(true);
  });

  it('H13: writes timestamps in UTC with milliseconds', async () => {
    const created = await createEndpoint(rest);
    expect(created.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(created.updated_at).to.equal(created.created_at);
  });

  it('H14: creates a new secret of 44 letters and digits each time', async () => {
    const secrets = [await createEndpoint(rest), await createEndpoint(rest)].map(
      ({ signing_secret: secret }) => secret,
    );
    for (const secret of secrets) {
      expect(secret).to.match(/^whsec_[0-9A-Za-z]{44}$/);
      expect(Buffer.from(secret.slice(6), 'base64')).to.have.lengthOf(33);
    }
    expect(secrets[0]).not.to.equal(secrets[1]);
  });

  it('H14: keeps the secret out of database and logs', async () => {
    const service = await sharedService();
    const { id, signing_secret: secret } = await createEndpoint(rest);
    const rows = await service.database.query<{ text: string }>(
      `select encode(sealed, 'escape') as text from endpoint_secret where endpoint_id = $1`,
      [id],
    );
    expect(rows).to.have.lengthOf(1);
    expect(rows[0]?.text).not.to.include(secret.slice(6));
    const lines = [service.api, ...service.workers].flatMap((one) => one.lines).join('\n');
    expect(lines).not.to.include(secret.slice(6));
    expect(lines).not.to.include(rest.token);
  });

  it('H27: points to the endpoint in Location', async () => {
    const reply = await create({});
    const { id } = dataOf<EndpointBody>(reply, 201);
    expect(reply.headers['location']).to.equal(`${endpointsPath}/${id}`);
  });

  it('H28: names types that are not offered first, then unknown ones, each once', async () => {
    const reply = await create({
      event_types: ['foo.bar', 'order.completed', 'foo.baz', 'foo.bar', 'cart.order.completed'],
    });
    expect(toProblem(reply, 422).errors).to.deep.equal([
      {
        code: 'event_type_not_offered',
        detail: 'No longer offered for new subscriptions: order.completed',
        param: 'event_types',
      },
      {
        code: 'unknown_event_type',
        detail: 'Unknown event type: foo.bar, foo.baz',
        param: 'event_types',
      },
    ]);
  });

  it('reports all issues of a body at once', async () => {
    expect(
      await refusals({ url: 'http://x', event_types: ['foo.bar'], notification_email: 'nobody' }),
    ).to.have.members([
      'url: invalid_format',
      'event_types: unknown_event_type',
      'notification_email: invalid_format',
    ]);

    expect(refusalsOf(await rest.post(endpointsPath, { active: 1 }))).to.have.members([
      'url: required',
      'event_types: required',
      'notification_email: required',
      'active: invalid_type',
    ]);
  });

  it('H28: names refused event types and targets together with issues of the fields', async () => {
    const reply = await create({ event_types: ['order.completed', 'foo.bar'], surprise: 1 });
    expect(refusalsOf(reply)).to.have.members([
      'event_types: event_type_not_offered',
      'event_types: unknown_event_type',
      'surprise: unknown_property',
    ]);
    const partly = { event_types: ['foo.bar'], url: 'https://10.0.0.1/', notification_email: 1 };
    expect(refusalsOf(await rest.post(endpointsPath, partly))).to.have.members([
      'event_types: unknown_event_type',
      'url: invalid_value',
      'notification_email: invalid_type',
    ]);
  });

  it('A24: answers 400 to invalid JSON, and 422 to JSON that is not a valid body', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await rest.send('POST', endpointsPath, { bytes: '{"url":', headers });
    expect(toProblem(broken, 400).code).to.equal('invalid_json');
    const list = await rest.send('POST', endpointsPath, { bytes: '[]', headers });
    expect(toProblem(list, 422).code).to.equal('validation_failed');
  });
});

describe('webhooks.endpoints.retrieve', () => {
  let tenant: Tenant;

  before(async () => {
    tenant = await createTenant(await sharedService());
  });

  it('H1: shows the endpoint as create did, without the secret', async () => {
    const { signing_secret: secret, ...endpoint } = await createEndpoint(tenant.rest, {
      description: 'Orders',
      active: false,
    });
    const reply = await tenant.rest.get(`${endpointsPath}/${endpoint.id}`);
    expect(dataOf(reply, 200)).to.deep.equal(endpoint);
    expect(reply.text).not.to.include(secret);
  });

  it('H91: answers an unknown id and one of another account alike', async () => {
    const stranger = await createTenant(await sharedService());
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await tenant.rest.get(`${endpointsPath}/${id}`), 404);
    const unknown = `${endpointsPath}/whs_${'0'.repeat(24)}`;
    for (const path of [unknown, `${endpointsPath}/whs_x`, `${endpointsPath}/nothing`]) {
      const problem = toProblem(await tenant.rest.get(path), 404);
      expect(comparable(problem), path).to.deep.equal(comparable(foreign));
      expect(problem.request_id).not.to.equal(foreign.request_id);
    }
  });

  it('A9: answers 401, 403 and 404 to what it refuses', async () => {
    const { id } = await createEndpoint(tenant.rest);
    const path = `${endpointsPath}/${id}`;
    toProblem(await tenant.rest.as('sk_live_unknown').get(path), 401);
    const accountant = await tenant.client({ kind: 'live', role: 'accountant' });
    toProblem(await accountant.get(path), 403);
    toProblem(await accountant.get(`${endpointsPath}/whs_unknown`), 403);
    toProblem(await tenant.rest.get(`${endpointsPath}/whs_unknown`), 404);
  });
});

const listOf = (reply: Reply) => {
  expect(reply.status, reply.text).to.equal(200);
  return reply.body as List<EndpointBody>;
};

describe('webhooks.endpoints.list', () => {
  let tenant: Tenant;
  let rest: RestClient;
  const created: string[] = [];

  before(async () => {
    tenant = await createTenant(await sharedService());
    ({ rest } = tenant);
    for (let index = 0; index < 25; index += 1) {
      created.unshift((await createEndpoint(rest, { active: index % 5 !== 0 })).id);
    }
  });

  const list = async (query = '') => listOf(await rest.get(`${endpointsPath}${query}`));
  const ids = async (query = '') => (await list(query)).data.map(({ id }) => id);

  /** Every page of a list, from the first to the last. */
  async function walk(limit: number, filter = '', between?: () => Promise<void>) {
    const walked: string[] = [];
    let page = await list(`?limit=${limit}${filter}`);
    for (;;) {
      walked.push(...page.data.map(({ id }) => id));
      if (!page.page.has_more) return walked;
      await between?.();
      const cursor = encodeURIComponent(page.page.next_cursor ?? '');
      page = await list(`?limit=${limit}${filter}&cursor=${cursor}`);
    }
  }

  it('H30, A27: filters by whether an endpoint is active', async () => {
    const active = await list('?status=active&limit=100');
    const inactive = await list('?status=inactive&limit=100');
    expect(active.data.every((endpoint) => endpoint.active)).to.equal(true);
    expect(inactive.data.every((endpoint) => !endpoint.active)).to.equal(true);
    expect([active.data.length, inactive.data.length]).to.deep.equal([20, 5]);
    const both = [...active.data, ...inactive.data].map(({ id }) => id);
    expect(both).to.have.members(created);
    expect(refusalsOf(await rest.get(`${endpointsPath}?status=disabled`))).to.deep.equal([
      'status: invalid_value',
    ]);
  });

  it('H31: returns 20 by default, and refuses a limit outside 1 to 100', async () => {
    expect(await ids()).to.have.lengthOf(20);
    expect(await ids('?limit=1')).to.have.lengthOf(1);
    expect(await ids('?limit=100')).to.have.lengthOf(25);

    for (const [limit, code] of [
      ['0', 'out_of_range'],
      ['101', 'out_of_range'],
      ['-1', 'out_of_range'],
      ['1.5', 'invalid_type'],
      ['ten', 'invalid_type'],
      ['1e1', 'invalid_type'],
      ['0x10', 'invalid_type'],
    ]) {
      const reply = await rest.get(`${endpointsPath}?limit=${limit ?? ''}`);
      expect(refusalsOf(reply), limit).to.deep.equal([`limit: ${code ?? ''}`]);
    }
  });

  it('H32: shows the newest first', async () => {
    expect(await ids('?limit=100')).to.deep.equal(created);
  });

  it('H33, A8: the last page has no cursor', async () => {
    expect((await list('?limit=100')).page).to.deep.equal({ has_more: false });
    const first = await list('?limit=24');
    expect(first.page.has_more).to.equal(true);
    expect(first.page.next_cursor).to.be.a('string').and.not.equal('');
    expect((await list('?limit=25')).page).to.deep.equal({ has_more: false });
  });

  it('H34: shows each endpoint once while others come and go', async () => {
    const other = await createTenant(await sharedService());
    const kept: string[] = [];
    for (let index = 0; index < 6; index += 1) kept.unshift((await createEndpoint(other.rest)).id);

    const doomed = kept.splice(1, 1)[0] ?? '';
    const walked: string[] = [];
    let reply = listOf(await other.rest.get(`${endpointsPath}?limit=2`));

    // The anchor of the next page is deleted and newer ones are added between two pages.
    await other.rest.delete(`${endpointsPath}/${doomed}`);
    await createEndpoint(other.rest);

    for (;;) {
      walked.push(...reply.data.map(({ id }) => id));
      const { has_more: more, next_cursor: cursor = '' } = reply.page;
      if (!more) break;
      expect(cursor.length).to.be.at.most(512);
      const query = `?limit=2&cursor=${encodeURIComponent(cursor)}`;
      reply = listOf(await other.rest.get(endpointsPath + query));
    }

    expect(walked.filter((id) => id !== doomed)).to.deep.equal(kept);
    expect(await walk(7)).to.deep.equal(created);
    expect(await walk(2, '&status=inactive')).to.have.lengthOf(5);
  });

  it('H36: refuses a cursor of another list, filter or account', async () => {
    const { page } = await list('?limit=2&status=active');
    const { next_cursor: cursor = '' } = page;
    const refused = async (client: RestClient, query: string) => {
      const reply = await client.get(query);
      expect(refusalsOf(reply), query).to.deep.equal(['cursor: invalid_cursor']);
      expect(toProblem(reply, 422).errors[0]?.detail).to.equal('Invalid cursor.');
    };

    const middle = Math.floor(cursor.length / 2);
    const tampered =
      cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1);
    for (const wrong of [tampered, 'x', cursor.slice(0, -1), `${cursor}A`, '%00', 'é']) {
      const query = `${endpointsPath}?status=active&cursor=${encodeURIComponent(wrong)}`;
      await refused(rest, query);
    }

    await refused(rest, `${endpointsPath}?cursor=${cursor}`);
    await refused(rest, `${endpointsPath}?status=inactive&cursor=${cursor}`);
    await refused(rest, `/v1/webhooks/deliveries?cursor=${cursor}`);

    const stranger = await createTenant(await sharedService());
    await refused(stranger.rest, `${endpointsPath}?status=active&cursor=${cursor}`);

    const other = await rest.get(`${endpointsPath}?status=active&limit=7&cursor=${cursor}`);
    expect(listOf(other).data).to.have.lengthOf(7);
  });

  it('H37: refuses query parameters that are unknown, repeated or empty', async () => {
    for (const [query, refusal] of [
      ['?Limit=5', 'Limit: unknown_parameter'],
      ['?state=active', 'state: unknown_parameter'],
      ['?limit=5&limit=5', 'limit: invalid_value'],
      ['?limit=', 'limit: invalid_value'],
      ['?cursor=', 'cursor: invalid_value'],
      ['?status=', 'status: invalid_value'],
    ] as const) {
      expect(refusalsOf(await rest.get(endpointsPath + query)), query).to.deep.equal([refusal]);
    }
  });

  it('H39: shows the endpoints of its account to each credential of the account', async () => {
    const stranger = await createTenant(await sharedService());
    expect(listOf(await stranger.rest.get(endpointsPath)).data).to.deep.equal([]);
    const reader = await tenant.client({ kind: 'live', level: 'read' });
    expect(listOf(await reader.get(`${endpointsPath}?limit=100`)).data).to.have.lengthOf(25);
  });

  it('A9: answers 401, 403 and 422 to what it refuses', async () => {
    expect(toProblem(await rest.as('sk_live_unknown').get(endpointsPath), 401).code).to.equal(
      'unauthorized',
    );
    const accountant = await tenant.client({ kind: 'live', role: 'accountant' });
    expect(toProblem(await accountant.get(endpointsPath), 403).code).to.equal('forbidden');
    toProblem(await rest.get(`${endpointsPath}?limit=0`), 422);
  });
});

describe('webhooks.endpoints.list after a restart', () => {
  it('H35: accepts a cursor of the previous process, and of the previous key', async () => {
    const service = await startService({ workers: 0 });
    try {
      const { rest } = await createTenant(service);
      const older = await createEndpoint(rest);
      const newer = await createEndpoint(rest);
      const first = listOf(await rest.get(`${endpointsPath}?limit=1`));
      expect(first.data.map(({ id }) => id)).to.deep.equal([newer.id]);
      await service.api.end();
      await service.startApi();

      const query = `?limit=1&cursor=${encodeURIComponent(first.page.next_cursor ?? '')}`;
      const second = listOf(await rest.get(endpointsPath + query));
      expect(second.data.map(({ id }) => id)).to.deep.equal([older.id]);

      const send = service.environment['SECRET_KEY'] ?? '';
      const next = `t2:${Buffer.alloc(32, 4).toString('base64')}`;

      await service.api.end();
      await service.startApi({ SECRET_KEY: `${next},${send}` });

      const third = listOf(await rest.get(endpointsPath + query));
      expect(third.data.map(({ id }) => id)).to.deep.equal([older.id]);
    } finally {
      await service.stop();
    }
  });
});

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

  it('H21: answers 404 the second time, and the stored 204 under the same key', async () => {
    const { id } = await createEndpoint(rest);
    const key = randomUUID();
    const first = await remove(id, { key });
    expect(first.headers).not.to.have.property('idempotent-replayed');
    const again = await remove(id, { key });
    expect(again.status).to.equal(204);
    expect(again.headers['idempotent-replayed']).to.equal('true');
    toProblem(await remove(id), 404);
  });

  it('H22: removes the endpoint and its secrets at once, cancels attempts, and keeps records', async () => {
    receiver.always(answer(500));
    // A separate account, because every endpoint of an account gets the event, and records name none.
    const owner = await createTenant(service);
    const { id } = await createEndpoint(owner.rest, { url: receiver.url('/deleted') });

    await owner.publish({});

    const failed = await eventually(async () => {
      const [record] = await listDeliveries(owner.rest);
      expect(record?.status).to.equal('failed');
      return record;
    }, 'the first attempt failed');

    expect((await owner.rest.delete(`${endpointsPath}/${id}`)).status).to.equal(204);
    toProblem(await owner.rest.get(`${endpointsPath}/${id}`), 404);

    const { data } = (await owner.rest.get(`${endpointsPath}?limit=100`))
      .body as List<EndpointBody>;
    expect(data.map((endpoint) => endpoint.id)).not.to.include(id);
    expect(await listDeliveries(owner.rest)).to.deep.equal([{ ...failed, status: 'abandoned' }]);

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

  it('answers an unknown id and one of another account alike', async () => {
    const stranger = await createTenant(service);
    const { id } = await createEndpoint(stranger.rest);
    const foreign = toProblem(await remove(id), 404);
    expect(comparable(foreign)).to.deep.equal(
      comparable(toProblem(await remove('whs_unknown'), 404)),
    );
    expect((await stranger.rest.get(`${endpointsPath}/${id}`)).status).to.equal(200);
  });
});
