import { expect } from 'chai';
import {
  createEndpoint,
  dataOf,
  endpointInput,
  endpointsPath,
  type EndpointBody,
  toProblem,
  refusalsOf,
} from '../support/endpoints.js';
import type { RestClient } from '../support/rest-client.js';
import { sharedService, startService } from '../support/service.js';
import { createTenant } from '../support/tenants.js';

describe('webhooks.endpoints.create', () => {
  let rest: RestClient;

  before(async () => {
    ({ rest } = await createTenant(await sharedService()));
  });

  const create = (changes: object) => rest.post(endpointsPath, endpointInput(changes));

  const refusals = async (changes: object) => refusalsOf(await create(changes));

  it('H1, A18: answers 201 with every field, null where there is nothing to say', async () => {
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

  it('H2: is active unless the body says otherwise', async () => {
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

  it('H4, A26: refuses a url that is not plainly https with a host', async () => {
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

  it('H5: takes an e-mail address as it was sent, and refuses what is none', async () => {
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

  it('H6: takes repeated event types once, in the order of their first mention', async () => {
    const wanted = ['payment.sale.succeeded', 'cart.order.completed', 'payment.sale.succeeded'];
    const created = await createEndpoint(rest, { event_types: wanted });
    expect(created.event_types).to.deep.equal(['payment.sale.succeeded', 'cart.order.completed']);
    expect(await refusals({ event_types: [] })).to.deep.equal(['event_types: too_few_items']);
    for (const types of [[7], ['cart.order.completed', null], 'cart.order.completed', {}, null]) {
      expect(await refusals({ event_types: types })).to.deep.equal(['event_types: invalid_type']);
    }
  });

  it('H7: takes the same url as often as one likes', async () => {
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

  it('H12: makes ids of a prefix and 24 letters and digits, in the order of time', async () => {
    const one = await createEndpoint(rest);
    const other = await createEndpoint(rest);
    for (const { id } of [one, other]) expect(id).to.match(/^whs_[0-9A-Za-z]{24}$/);
    expect(one.id < other.id || one.created_at === other.created_at).to.equal(true);
  });

  it('H13: writes instants in UTC with milliseconds', async () => {
    const created = await createEndpoint(rest);
    expect(created.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(created.updated_at).to.equal(created.created_at);
  });

  it('H14: makes a secret of 44 letters and digits, each time another', async () => {
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

  it('H27: points to the endpoint', async () => {
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

  it('A24: answers 400 to what is no JSON, 422 to JSON that is not valid', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = await rest.send('POST', endpointsPath, { bytes: '{"url":', headers });
    expect(toProblem(broken, 400).code).to.equal('invalid_json');
    const list = await rest.send('POST', endpointsPath, { bytes: '[]', headers });
    expect(toProblem(list, 422).code).to.equal('validation_failed');
  });
});
