import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
} from 'graphql';
import { fetch } from 'undici';
import { type Level, levels } from '../../src/domain/account/permission.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { answer } from '../support/behaviours.js';
import { createCheckout, payCheckout, makeOffer } from '../support/sales.js';
import { createCliUser } from '../support/cli.js';
import { DashboardClient } from '../support/dashboard.js';
import { firstRecordedAs } from '../support/delivery-records.js';
import { createEndpoint, dataOf } from '../support/endpoints.js';
import { call, publicOperations, type Subjects } from '../support/every-operation.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { RestClient } from '../support/rest-client.js';
import { type Service, sharedService } from '../support/service.js';
import { SseClient } from '../support/event-stream.js';
import { createTenant, type Tenant } from '../support/tenants.js';

const buyer = 'ada.lovelace@buyer.example';
const amount = 98_765_431;
/** A filter that can be tried on the events. */
const filter = '$.data.currency == "EUR"';

/** A caller of each kind, with the same level for each area. */
interface Caller {
  readonly webhooks: Level;
  readonly orders: Level;
  /** A live key. */
  readonly key: string;
  /** A dashboard token. */
  readonly token: string;
}

/** The permissions that a path to sales data requires. */
type Need = 'orders' | 'webhooks and orders' | 'writing webhooks, and orders' | 'never shown';

const needs: Readonly<Record<Need, (caller: Caller) => boolean>> = {
  orders: ({ orders }) => orders !== 'none',
  'webhooks and orders': ({ webhooks, orders }) => webhooks !== 'none' && orders !== 'none',
  'writing webhooks, and orders': ({ webhooks, orders }) =>
    webhooks === 'write' && orders !== 'none',
  'never shown': () => false,
};

const sales = ['checkout', 'order', 'payment', 'refund', 'invoice', 'offer'];
/** The queries of internal GraphQL that show what was sold, by what they need. All others never do. */
const needOfQuery = new Map<string, Need>([
  ...sales.flatMap((name): [string, Need][] => [
    [name, 'orders'],
    [`${name}s`, 'orders'],
  ]),
  ...['event', 'eventAtEndpoint', 'webhookDelivery', 'webhookDeliveries'].map(
    (name): [string, Need] => [name, 'webhooks and orders'],
  ),
]);

describe('what was sold', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let subjects: Subjects;
  let event: string;
  let invoiceUrl: string;
  const callers: Caller[] = [];

  before(async () => {
    service = await sharedService();
    tenant = await createTenant(service);
    receiver = await startReceiver();

    // Receivers echo requests, in errors above all.
    const later = { 'retry-after': '3600', 'content-type': 'application/json' };
    receiver.choose(({ body }) => answer(503, later, body));
    subjects = await makeSale();

    for (const webhooks of levels) {
      for (const orders of levels) {
        const { token: key } = await tenant.credential({ kind: 'live', webhooks, orders });
        const { token } = await tenant.credential({ kind: 'dashboard', webhooks, orders });
        callers.push({ webhooks, orders, key, token });
      }
    }
  });

  after(() => receiver.close());

  async function makeSale(): Promise<Subjects> {
    const { id: endpoint } = await createEndpoint(tenant.rest, { url: receiver.url() });
    const lineItems = [{ name: 'Poster', quantity: 1, unitAmountMinorUnits: amount }];
    const checkout = await createCheckout(tenant, { lineItems });
    const { order, payment, invoice } = await payCheckout(tenant, checkout, { buyerEmail: buyer });
    const refunds = `/v1/commerce/payments/${payment.id}/refunds`;
    const refund = dataOf<{ id: string }>(await tenant.rest.post(refunds), 201);
    const offer = await makeOffer(tenant.rest, { recipient_email: buyer }, []);
    const shown = await tenant.rest.get(`/v1/commerce/invoices/${invoice.id}`);
    invoiceUrl = dataOf<{ pdf_url: string }>(shown, 200).pdf_url;

    const { events } = await tenant.graphql<{ events: { data: { id: string }[] } }>(
      'query ($account: ID) { events(account: $account, type: "cart.order.completed") { data { id } } }',
      { account: tenant.account },
    );

    event = events.data[0]?.id ?? '';

    const delivery = await firstRecordedAs(tenant.rest, event, 'failed');
    return {
      endpoint,
      delivery: delivery.id,
      checkout,
      order: order.id,
      payment: payment.id,
      refund: refund.id,
      invoice: invoice.id,
      offer: offer.id,
    };
  }

  /** Whether an answer has the buyer, an amount, or the address of a document. */
  function shows(text: string): boolean {
    const { pathname } = new URL(invoiceUrl);
    return [buyer, String(amount), pathname].some((part) => text.includes(part));
  }

  /** Checks one path to the data with every caller. */
  async function expectNeed(name: string, need: Need, ask: (caller: Caller) => Promise<string>) {
    for (const caller of callers) {
      const { webhooks, orders } = caller;
      const what = `${name} with webhooks ${webhooks}, orders ${orders}`;
      expect(shows(await ask(caller)), what).to.equal(needs[need](caller));
    }
  }

  async function graphql({ token }: Caller, query: string): Promise<string> {
    const response = await fetch(`${service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
    return response.text();
  }

  /** Everything that a stream of the last hour shows until it has caught up. */
  async function stream(url: string, token: string, query = ''): Promise<string> {
    const client = await SseClient.open(url, { token, query: `?since=1h${query}` });
    if (client.response.statusCode !== 200) return client.problem;
    await client.joined();
    client.close();
    return JSON.stringify(client.frames);
  }

  it('H242: REST shows what was sold to no key that may not read orders', async () => {
    for (const operation of publicOperations) {
      const { id, method, permission } = operation;
      if (method !== 'GET' && id !== 'webhooks.deliveries.replay') continue;
      const need = permission.startsWith('orders') ? 'orders' : 'never shown';
      const ask = async ({ key }: Caller) =>
        (await call(new RestClient(service.url, key), operation, subjects)).text;
      await expectNeed(id, need, ask);
    }
  });

  it('H242: GraphQL shows what was sold in no field to a caller who may not read orders', async () => {
    const queries = buildSchema().getQueryType()?.getFields() ?? {};
    expect(Object.keys(queries)).to.include.members([...needOfQuery.keys()]);
    for (const [name, field] of Object.entries(queries)) {
      const need = needOfQuery.get(name) ?? 'never shown';
      const query = queryOf(field, new Set());
      await expectNeed(query, need, (caller) => graphql(caller, query));
    }
    // The refusal of the body hides all other fields.
    const { event: field } = queries;
    if (!field) throw new Error('no query for events');
    const query = queryOf(field, new Set(['body']));
    await expectNeed(query, 'webhooks and orders', (caller) => graphql(caller, query));
  });

  it('H242: the answer to a replay shows what was sold only to those who may read orders', async () => {
    const query = `mutation { replayDelivery(id: "${subjects.delivery}") {
      status evidence { responseBody { content } } } }`;
    await expectNeed(query, 'writing webhooks, and orders', (caller) => graphql(caller, query));
  });

  it('H242: no document of the dashboard or the command line shows what was sold without that permission', async () => {
    for (const file of ['dist/dashboard/documents.json', 'dist/cli/documents.json']) {
      const shown = new Set<string>();

      for (const [id, text] of Object.entries(readManifest(file))) {
        const name = queryNameOf(text);
        if (name === undefined) continue;

        for (const caller of callers) {
          const client = new DashboardClient(service.url, {
            authorization: `Bearer ${caller.key}`,
          });
          const asked = await client.send('POST', '/graphql', { id, variables: variables(text) });
          expect(asked.status, asked.text).to.equal(200);
          if (!shows(asked.text)) continue;

          expect(caller.orders, `${name} of ${file}`).not.to.equal('none');
          shown.add(name);
        }
      }

      expect([...shown]).to.include.members(['delivery', 'checkouts']);
    }
  });

  it('H242: the live streams of both listeners show what was sold only to those who may read orders', async () => {
    const need = 'webhooks and orders';
    await expectNeed('the stream', need, ({ key }) => stream(service.url, key));
    await expectNeed('the internal stream', need, ({ token }) =>
      stream(service.internalUrl, token),
    );

    const { token } = await tenant.credential({ kind: 'internal' });
    const whole = await stream(service.internalUrl, token, `&account=${tenant.account}`);
    expect(shows(whole)).to.equal(true);

    const reader = callers.find(({ webhooks, orders }) => webhooks === 'read' && orders === 'none');
    const client = await SseClient.open(service.url, {
      token: reader?.key ?? '',
      query: '?kinds=event&since=1h',
    });

    await client.joined();
    client.close();

    const frame = client.of('event').find(({ data }) => data['id'] === event);
    expect(frame?.data).to.have.all.keys('id', 'type', 'time', 'test');
  });

  it('H244: the portal shows what was sold in bodies of events only, and runs no other documents', async () => {
    const portalDocuments = readManifest('dist/dashboard/portal-documents.json');
    const all = {
      ...readManifest('dist/dashboard/documents.json'),
      ...readManifest('dist/cli/documents.json'),
    };

    expect(all).to.include(portalDocuments);

    for (const role of ['developer', 'viewer']) {
      const portal = await openPortal(role);
      const shown: (string | undefined)[] = [];

      for (const [id, text] of Object.entries(all)) {
        const name = queryNameOf(text);
        const isOwn = id in portalDocuments;
        if (isOwn && name === undefined) continue;

        const asked = await portal.send('POST', '/graphql', { id, variables: variables(text) });
        expect([asked.status, asked.code], text).to.deep.equal(
          isOwn ? [200, undefined] : [400, 'document_unknown'],
        );
        if (shows(asked.text)) shown.push(name);
      }

      // `delivery` twice: as 2.0.0 asked for it, too.
      expect([...new Set(shown)], role).to.have.members(['delivery', 'eventBody']);
    }
  });

  it('H243: the command line leaves what was sold out of an attempt, and says so', async () => {
    const reader = callers.find(({ webhooks, orders }) => webhooks === 'read' && orders === 'none');
    const user = createCliUser({
      SIGNALPOST_URL: service.url,
      SIGNALPOST_API_KEY: reader?.key ?? '',
    });

    after(() => user.remove());

    const shown = await user.run('deliveries', 'show', subjects.delivery);
    expect(shown.code, shown.stderr).to.equal(0);
    expect(shows(shown.stdout)).to.equal(false);
    expect(shown.stderr).to.equal(
      'This key may not read orders, so the response body is not shown.\n',
    );

    const refused = await user.run('events', 'show', event);
    expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
    expect(refused.stderr).to.contain('`orders` permission at read level');
  });

  it('H242: the live stream of a portal shows what was sold, because its roles read bodies of events', async () => {
    for (const role of ['developer', 'viewer']) {
      const portal = await openPortal(role);
      const cookie = [...portal.cookies].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(`${portal.address}${portal.base}/stream?since=1h`, {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      });
      const decoder = new TextDecoder();
      let text = '';

      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        if (text.includes('\nevent: position\n')) break;
      }

      expect(shows(text), text).to.equal(true);
    }
  });

  it('H242: a document opens for those who have its address, which only readers of orders see', async () => {
    expect((await fetch(invoiceUrl)).status).to.equal(200);
    const { origin, pathname } = new URL(invoiceUrl);
    const guessed = pathname.replace(/.(?=\.pdf$)/, (digit) => (digit === '0' ? '1' : '0'));
    expect((await fetch(`${origin}${guessed}`)).status).to.equal(404);
  });

  /** A browser at the portal of the account, with a session of a role. */
  async function openPortal(role: string): Promise<DashboardClient> {
    const { createPortalLink } = await tenant.graphql<{ createPortalLink: { url: string } }>(
      'mutation ($input: CreatePortalLinkInput!) { createPortalLink(input: $input) { url } }',
      { input: { account: tenant.account, role } },
    );
    const headers = { 'sec-fetch-site': 'same-origin' };
    const portal = new DashboardClient(service.url, headers, `/portal/${tenant.account}`);
    const token = new URL(createPortalLink.url).hash.slice(1);
    const opened = await portal.send('POST', '/session', { token });
    expect(opened.status, opened.text).to.equal(200);
    return portal;
  }

  /** A query with all fields, but for those without a value for an argument and those left out. */
  function queryOf(field: GraphQLField<unknown, unknown>, leftOut: ReadonlySet<string>): string {
    return `{ ${fieldOf(field, leftOut, 6)} }`;
  }

  function fieldOf(
    field: GraphQLField<unknown, unknown>,
    leftOut: ReadonlySet<string>,
    depth: number,
  ): string {
    const type = getNamedType(field.type);
    const named = `${field.name}${argumentsOf(field)}`;
    if (!isObjectType(type)) return named;
    return `${named} { __typename ${selectionOf(type, leftOut, depth - 1)} }`;
  }

  function selectionOf(
    type: GraphQLObjectType,
    leftOut: ReadonlySet<string>,
    depth: number,
  ): string {
    const fields = Object.values(type.getFields()).filter(
      ({ name, type: of }) => !leftOut.has(name) && (depth > 0 || !isObjectType(getNamedType(of))),
    );
    return fields.map((child) => fieldOf(child, leftOut, depth)).join(' ');
  }

  function argumentsOf({ name: field, args }: GraphQLField<unknown, unknown>): string {
    const given = args.flatMap(({ name, type, defaultValue }) => {
      const isNeeded = isNonNullType(type) && defaultValue === undefined;
      const isSize = name === 'limit' || name === 'perPage';
      return isNeeded || isSize ? [`${name}: ${valueOf(field, name)}`] : [];
    });
    return given.length === 0 ? '' : `(${given.join(', ')})`;
  }

  /** The value of an argument, as a document has it. */
  function valueOf(field: string, argument: string): string {
    switch (argument) {
      case 'limit':
      case 'perPage':
        return '5';
      case 'account':
        return JSON.stringify(tenant.account);
      case 'by':
        return 'hour';
      case 'since':
        return JSON.stringify(hourAgo());
      case 'input':
        return `{ endpoint: "${subjects.endpoint}", what: both }`;
      case 'text':
      case 'event':
        return JSON.stringify(event);
      case 'endpoint':
        return JSON.stringify(subjects.endpoint);
      case 'filter':
        return JSON.stringify(filter);
      case 'id':
        return JSON.stringify(idFor(field));
      default:
        throw new Error(`No value for ${argument} of ${field}.`);
    }
  }

  function idFor(field: string): string {
    switch (field) {
      case 'event':
        return event;
      case 'webhookDelivery':
        return subjects.delivery;
      case 'webhookEndpoint':
      case 'tryEndpointFilter':
      case 'endpointHealth':
        return subjects.endpoint;
      case 'eventType':
        return 'cart.order.completed';
      default:
        return field in subjects ? subjects[field as keyof Subjects] : 'x_0';
    }
  }

  /** Values for the variables that a document needs. */
  function variables(text: string): object {
    const [operation] = parse(text).definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(text);

    const [root] = operation.selectionSet.selections;
    const field = root?.kind === Kind.FIELD ? root.name.value : '';
    const { endpoint } = subjects;
    const known: Readonly<Record<string, unknown>> = {
      id: idFor(field),
      page: 1,
      limit: 5,
      by: 'hour',
      since: hourAgo(),
      input: { endpoint, what: 'both' },
      event,
      endpoint,
      filter,
    };

    const needed = (operation.variableDefinitions ?? []).filter(
      ({ type }) => type.kind === Kind.NON_NULL_TYPE,
    );
    return Object.fromEntries(
      needed.map(({ variable }) => [variable.name.value, known[variable.name.value]]),
    );
  }

  function hourAgo(): string {
    return new Date(Date.now() - 3_600_000).toISOString();
  }
});

/** The documents of a manifest of the build, by their ids. */
function readManifest(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8')) as Record<string, string>;
}

/** The name of a query; undefined for a mutation. */
function queryNameOf(document: string): string | undefined {
  return /^query (\w+)/.exec(document)?.[1];
}
