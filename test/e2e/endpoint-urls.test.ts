import { expect } from 'chai';
import {
  createEndpoint,
  dataOf,
  type EndpointBody,
  endpointInput,
  endpointsPath,
  refusalsOf,
} from '../support/endpoints.js';
import { startReceiver } from '../support/receiver.js';
import { type Service, sharedService } from '../support/service.js';
import { createTenant, GraphqlRefusal, type Tenant } from '../support/tenants.js';

/** What some parsers read as one host, port or path and others as another. */
const ambiguous = [
  'https://shop.example.com\\hook',
  'https://shop.example.com/a\\b',
  'https://shop.example.com\\@other.example/',
  'https://shop.example.com:/',
  'https://shop.example.com:',
  'https://shop.example.com:0/',
  'https://shop.example.com:0443/',
  'https://shop.example.com/%',
  'https://shop.example.com/100%/hook',
  'https://shop.example.com/%zz',
  'https://shop%2eexample.com/',
  'https://shop.example.com/{id}',
  'https://shop.example.com/?a|b',
  'https://shop.example.com/?a[]=b',
  'https://shop.example.com/"',
  'https://shop.example.com/a/../hook',
  'https://shop.example.com/a/.%2E',
];

/** Hosts that no name server can be asked for. */
const noNames = ['https://shop..example.com/', `https://${'a'.repeat(64)}.example.com/`];

const created = `mutation ($account: ID!, $input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(account: $account, input: $input) { id } }`;
const updated = `mutation ($account: ID!, $id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(account: $account, id: $id, input: $input) { id } }`;

describe('the url of an endpoint', () => {
  let service: Service;
  let tenant: Tenant;

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
  });

  const graphqlRefusals = async (query: string, variables: object) => {
    const error = await tenant
      .graphql(query, { account: tenant.account, ...variables })
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(GraphqlRefusal);
    const { errors } = (error as GraphqlRefusal).extensions as {
      errors?: { code: string; param?: string }[];
    };
    return errors?.map(({ code, param }) => `${param}: ${code}`);
  };

  it('H4, H117: refuses a URL that parsers read differently, in every operation', async () => {
    const { id } = await createEndpoint(tenant.rest);
    const other = {
      eventTypes: ['cart.order.completed'],
      notificationEmail: 'ops@shop.example',
    };

    for (const url of [...ambiguous, ...noNames]) {
      const expected = ['url: invalid_format'];
      const post = await tenant.rest.post(endpointsPath, endpointInput({ url }));
      expect(refusalsOf(post), url).to.deep.equal(expected);

      const patch = await tenant.rest.patch(`${endpointsPath}/${id}`, { url });
      expect(refusalsOf(patch), url).to.deep.equal(expected);

      const input = { ...other, url };
      expect(await graphqlRefusals(created, { input }), url).to.deep.equal(expected);
      expect(await graphqlRefusals(updated, { id, input: { url } }), url).to.deep.equal(expected);
    }
  });

  it('H4, H117: stores a URL as it was sent when all parsers agree', async () => {
    for (const url of [
      'https://Shop.Example.com:8443/a;b=c/%2F?q=%C3%BC&x=@:/?',
      "https://shop.example.com/!$&'()*+,;=:@-._~?!$&'()*+,;=:@-._~/?",
      'https://xn--bcher-kva.example.com./',
      'https://bücher.example.com/ü?ü',
    ]) {
      expect((await createEndpoint(tenant.rest, { url })).url).to.equal(url);
    }
  });

  it('H117: delivers to a URL that was stored before this rule, and lets other members change', async () => {
    const receiver = await startReceiver();
    try {
      const { id } = await createEndpoint(tenant.rest, { url: receiver.url() });
      const url = receiver.url('\\hook/{id}?a|b[]=100%');
      await service.database.query('update endpoint set url = $2 where id = $1', [id, url]);

      const reply = await tenant.rest.patch(`${endpointsPath}/${id}`, { description: 'old' });
      expect(dataOf<EndpointBody>(reply, 200)).to.include({ url, description: 'old' });
      await tenant.publish({});

      const { path } = await receiver.next();
      expect(path).to.match(/^\/hook\//);
    } finally {
      await receiver.close();
    }
  });

  it('H266: calls a URL as it is written, and an older one with dots as before', async () => {
    const receiver = await startReceiver();
    try {
      const written = "/it's?q='x'&u=ü";
      const { id } = await createEndpoint(tenant.rest, { url: receiver.url(written) });
      const called = async (url: string) => {
        await service.database.query('update endpoint set url = $2 where id = $1', [id, url]);
        const event = await tenant.publish({});
        return (await receiver.next(({ headers }) => headers['webhook-id'] === event)).path;
      };

      expect(await called(receiver.url(written))).to.equal("/it's?q='x'&u=%C3%BC");
      expect(await called(receiver.url('/p?'))).to.equal('/p?');
      expect(await called(receiver.url('/a/../hook'))).to.equal('/hook');
    } finally {
      await receiver.close();
    }
  });
});
