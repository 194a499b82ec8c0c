import { expect } from 'chai';
import { apiServerSettings } from '../../../src/database/address.js';
import { partitionsSince } from '../../../src/database/partitions.js';
import {
  createAccount,
  readAccountTotals,
  findAccounts,
} from '../../../src/domain/account/accounts.js';
import {
  listDeliveries,
  getDelivery,
  nextAttempts,
  endpointSummaries,
} from '../../../src/domain/delivery/deliveries.js';
import { readReplays, type ReplayResult } from '../../../src/domain/delivery/replay.js';
import { createOffer } from '../../../src/domain/offer/offers.js';
import { compileOperation, execute } from '../../../src/graphql/execute.js';
import { buildSchema } from '../../../src/graphql/schema.js';
import { fillAccount } from '../../../tools/seed/fill-account.js';
import {
  bulkFill,
  disableAutovacuum,
  setStatisticsToEmpty,
  avoidScansOption,
  bigTables,
  excessesOf,
  explaining,
  plansOf,
  replannedOf,
  type LoggedPlan,
  type Allowance,
} from '../../support/plans.js';
import { createTestDatabase } from '../../support/database.js';
import { shortened } from '../../support/long-run.js';
import {
  createFixture,
  offerInput,
  operationDocuments,
  type Fixture,
  endpointInput,
  checkoutInput,
  event,
} from './fixture.js';
import { type PublicOperation, publicOperations } from '../../support/every-operation.js';
import { authenticate, type Viewer } from '../../../src/domain/account/credentials.js';
import { listAuditLog } from '../../../src/domain/audit/audit-log.js';
import { createCheckout, listCheckouts } from '../../../src/domain/checkout/checkouts.js';
import { type EntryFilter, searchEntries } from '../../../src/domain/payment/payments.js';
import { invoices } from '../../../src/domain/payment/invoices.js';
import { orders } from '../../../src/domain/payment/orders.js';
import { refunds } from '../../../src/domain/payment/refunds.js';
import { visitCheckout } from '../../../src/domain/checkout/hosted-checkout.js';
import { payHostedCheckout, recordPayment } from '../../../src/domain/payment/record-payment.js';
import { readAccountLag } from '../../../src/domain/delivery/backlog.js';
import { getDeadLetter, listDeadLetters } from '../../../src/domain/delivery/dead-letters.js';
import { evidenceOfDeliveries } from '../../../src/domain/delivery/evidence-of-deliveries.js';
import { readEventAtEndpoint, readEventTrail } from '../../../src/domain/delivery/event-trail.js';
import { endpointBacklogs, getEndpointHealth } from '../../../src/domain/delivery/health.js';
import { type DeliverySearch, searchDeliveries } from '../../../src/domain/delivery/search.js';
import { readEndpointFailures, readStatistics } from '../../../src/domain/delivery/statistics.js';
import { endpointsById, listEndpoints } from '../../../src/domain/endpoint/endpoints.js';
import { makeId } from '../../../src/domain/values/id.js';
import { getEvent, getEventBody, searchEvents } from '../../../src/domain/event/events.js';
import { preparationAt, prepareEvent } from '../../../src/domain/event/prepare-event.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { insertEndpoint } from '../../support/engine.js';
import { setEndpointOptions } from '../../../src/domain/endpoint/endpoint-options.js';
import { tryFilter } from '../../../src/domain/endpoint/try-filter.js';
import { storeEvents } from '../../../src/domain/event/store-events.js';
import {
  completePending,
  readKeyState,
  recordResponse,
  recordPending,
} from '../../../src/domain/idempotency/idempotency-records.js';
import { getHostedOffer, openOfferCheckout } from '../../../src/domain/offer/hosted-offer.js';
import { sendOffer } from '../../../src/domain/offer/change-offer.js';
import { readEngineFacts, readFlow } from '../../../src/domain/service/engine-facts.js';
import { lookUpId } from '../../../src/domain/service/look-up-id.js';
import { publisherOf } from '../../support/publisher.js';

/** The statistics that PostgreSQL has when it plans. */
const modes = {
  'planned for their values, as the first times': {
    mode: 'force_custom_plan',
    statistics: 'nothing',
  },
  'planned once, while they were known to be empty': {
    mode: 'force_generic_plan',
    statistics: 'empty',
  },
  'planned for their values, when all is known': { mode: 'force_custom_plan', statistics: 'all' },
  'planned once, while the tables were empty': {
    mode: 'force_generic_plan',
    statistics: 'nothing',
  },
  'planned once, while they were known to be small': {
    mode: 'force_generic_plan',
    statistics: 'size',
  },
};

const list = { page: 1, per_page: 20 };

/** A range before the first payment. */
const emptyRange = { cash_flow_from: '2001-01-01', cash_flow_to: '2001-12-31' };

const first = (from: string) =>
  `select id from ${from} and account_id = $1 order by id desc limit 1`;

/** Finds the endpoint with the most to cancel. */
/** One transaction cancels at most 1,000, so the endpoint with 20,000 of one subject is left out. */
const endpointWithMostPending = `select e.id from endpoint e
  left join (select endpoint_id, count(*) as "pendingDeliveries" from pending_delivery
              group by endpoint_id having count(*) < 1000) c
    on c.endpoint_id = e.id
 where e.account_id = $1 and e.active and e.deleted_at is null
 order by c."pendingDeliveries" desc nulls last, e.id desc limit 1`;

const ofLatest =
  (table: string): Variables =>
  async (subject) => ({
    id: await subject(first(`"${table}" where true`)),
  });

const ofOffer =
  (state: string): Variables =>
  async (subject) => ({
    id: await subject(first(`offer where ${state}`)),
  });

const ofEndpoint: Variables = async (subject) => ({ id: await subject(endpointWithMostPending) });

/** The variables of operations that take more than an id or a page. */
const ownVariables: Readonly<Record<string, readonly Variables[]>> = {
  'webhooks.endpoints.create': [() => ({ input: endpointInput })],
  'webhooks.endpoints.list': [() => ({ limit: 20 }), () => ({ limit: 20, status: 'active' })],
  'webhooks.deliveries.list': [
    () => ({ limit: 20 }),
    () => ({ limit: 20, status: 'failed' }),
    () => ({ limit: 20, status: 'abandoned' }),
  ],
  'webhooks.deliveries.replay': [
    async (subject) => ({
      id: await subject(`select d.id from delivery d join endpoint e on e.id = d.endpoint_id
                          where d.account_id = $1 and e.active and e.deleted_at is null
                            and d.event_type = any (e.event_types)
                            and (d.endpoint_id, d.event_id) not in (
                              select endpoint_id, event_id from pending_delivery where lease_token is not null)
                          order by d.id limit 1`),
    }),
  ],
  'webhooks.endpoints.update': [
    async (subject) => ({
      id: await subject(endpointWithMostPending),
      input: { description: 'Other' },
    }),
    async (subject) => ({ id: await subject(endpointWithMostPending), input: { active: false } }),
  ],
  'webhooks.endpoints.event_subscriptions.update': [
    async (subject) => ({
      id: await subject(endpointWithMostPending),
      eventTypes: ['invoice.issued'],
    }),
  ],
  'webhooks.event_types.list': [() => ({})],
  'commerce.payments.list': [
    () => list,
    () => ({ ...list, created_from: '2026-01-01', created_to: '2099-01-01' }),
    () => ({ ...list, buyer_email: 'ada@example.com' }),
    () => ({ ...list, ...emptyRange }),
    () => ({ ...list, ...emptyRange, buyer_email: 'ada@example.com' }),
  ],
  'commerce.payments.refunds.create': [
    async (subject) => ({
      id: await subject(first(`payment where status in ('succeeded', 'partially_refunded')`)),
      input: { amountMinorUnits: 1 },
    }),
  ],
  'commerce.offers.create': [() => ({ input: offerInput })],
  'commerce.offers.send': [ofOffer('sent_at is null and cancelled_at is null')],
  'commerce.offers.resend': [
    ofOffer(`sent_at is not null and cancelled_at is null
    and accepted_at is null and expires_at > now()`),
  ],
  'commerce.offers.cancel': [
    ofOffer(`cancelled_at is null and accepted_at is null
    and expires_at > now()`),
  ],
};

/** What each operation of /v1 is asked with; some more than once. Deliveries before endpoints are deleted. */
const operationVariables: Readonly<Record<string, readonly Variables[]>> = Object.fromEntries(
  [true, false].flatMap((ofDeliveries) =>
    publicOperations
      .filter(({ id }) => id.startsWith('webhooks.deliveries.') === ofDeliveries)
      .map((operation) => [operation.id, variablesOf(operation)]),
  ),
);

/** Tables of which a row is looked up by its id, with the prefix of that. */
const lookedUp = [
  ['event', 'evt'],
  ['delivery', 'whd'],
  ['pending_delivery', 'pdl'],
  ['endpoint', 'whs'],
  ['checkout', 'chk'],
  ['order', 'ord'],
  ['payment', 'pay'],
  ['offer', 'off'],
] as const;

/** What an API process often does besides operations. */
const otherOperations: Readonly<
  Record<string, (fixture: Fixture, shop: Shop) => Promise<unknown>>
> = {
  'a credential is looked up': ({ database }, { token }) => authenticate(database.read, token),
  'a response is stored and found again': ({ database }, { account }) =>
    database.transact(async (tx) => {
      const claim = { account, key: `key of ${account}`, fingerprint: Buffer.from('print') };
      await readKeyState(tx, account, claim.key);
      recordResponse(tx, claim, { status: 201, body: { data: {} } });
      await readKeyState(tx, account, claim.key);
    }),
  'checkouts are listed': async ({ database: { read } }, { account }) => {
    const { page } = await listCheckouts(read, account, { limit: 1 });
    await listCheckouts(read, account, { limit: 20, cursor: page.nextCursor });
  },
  'sales are found by buyer, dates and number': async (
    { test, database: { read } },
    { account },
  ) => {
    const [payment] = await test.query<{ email: string }>(
      'select buyer_email as email from payment where account_id = $1 order by position desc limit 1',
      [account],
    );

    const buyerEmail = payment?.email ?? 'nobody@example.com';
    const filters: EntryFilter[] = [
      { createdFrom: '2026-01-01', createdTo: '2099-01-01' },
      { createdTo: '2001-01-01' },
      { buyerEmail },
      { buyerEmail, createdFrom: '2026-01-01' },
      { number: 'INV-000001' },
      { number: 'CN-000001', buyerEmail, createdFrom: '2026-01-01' },
    ];

    const request = { page: 1, perPage: 20 };

    for (const filter of filters) {
      await searchEntries(read, account, orders, request, filter);
      await searchEntries(read, account, refunds, request, filter);
      await searchEntries(read, account, invoices, request, filter);
    }
  },
  'a key waits for its replay': ({ database }, { account }) =>
    database.transact(async (tx) => {
      const claim = { account, key: `replay of ${account}`, fingerprint: Buffer.from('print') };
      await recordPending(tx, claim, 'pdl_1');
      await completePending(tx, account, claim.key, 'pdl_1', { status: 200, body: {} });
    }),
  'an event is published under a key, and again': async ({ database }, { account }) => {
    const input = { ...event, key: 'once' };
    await database.transact((tx) => publishEvent(tx, account, input));
    await database.transact((tx) => publishEvent(tx, account, input));
  },
  'an event is published by itself, with a key and without': async ({ database }, { account }) => {
    const publisher = publisherOf(database);
    for (const key of ['alone', undefined]) {
      await publisher.publish([{ ...event, accountId: account, key }]);
    }
  },
  // For each event it finds the account, the type and the endpoints, and writes rows and indexes.
  '1,000 events are published at once, with keys and without': async (
    { database: { read } },
    { account },
  ) => {
    for (const key of [(place: number) => `group ${place}`, () => undefined]) {
      const events = Array.from({ length: 1_000 }, (_, place) =>
        prepareEvent(preparationAt(new Date(), ''), account, {
          ...event,
          key: key(place),
        }),
      );
      await storeEvents(read, events);
    }
  },
  'a delivery is looked up, with its endpoint, its next attempt and its evidence': async (
    { database: { read } },
    { account },
  ) => {
    const { data: deliveries } = await listDeliveries(read, account, { limit: 20 });
    for (const { id } of deliveries) await getDelivery(read, account, id);
    await nextAttempts(read, deliveries);
    await evidenceOfDeliveries(read, deliveries);
    await endpointsById(
      read,
      deliveries.map(({ endpointId }) => endpointId),
    );
  },
  'a delivery list is searched, by each filter and by what no index finds': async (
    { test, database: { read } },
    { account },
  ) => {
    const idOf = async (table: string) => {
      const text = `select id from ${table} where account_id = $1 limit 1`;
      return (await test.query<{ id: string }>(text, [account]))[0]?.id;
    };

    const endpoint = await idOf('endpoint');
    const event = await idOf('event');
    const eventType = 'cart.order.completed';
    const since = new Date(Date.now() - 3_600_000);
    const searches: DeliverySearch[] = [
      { endpoint },
      { endpoint, status: 'failed' },
      { endpoint, status: 'abandoned' },
      { endpoint, eventType, test: true },
      { endpoint, status: 'success', replayed: true },
      { eventType },
      { eventType: 'invoice.issued' },
      { eventType, status: 'abandoned' },
      { event },
      { event, endpoint, status: 'failed' },
      { since },
      { until: since },
      { since, test: true },
      { replayed: true },
      { status: 'failed', since },
      { status: 'success', test: true },
    ] as DeliverySearch[];

    for (const search of searches) await searchDeliveries(read, account, search, { limit: 20 });
    if (endpoint) await getEndpointHealth(read, account, endpoint);
    if (endpoint) await endpointSummaries(read, [endpoint]);
    await readAccountLag(read, account);

    for (const by of ['hour', 'day'] as const) {
      await readStatistics(read, account, { endpoint, since, by });
    }
  },
  'a delivery’s failures are counted by endpoint': ({ database: { read } }, { account }) =>
    readEndpointFailures(read, account, { since: new Date(Date.now() - 30 * 86_400_000) }),
  'the audit log is listed, and searched by what no index finds': async (
    { database: { read } },
    { account },
  ) => {
    for (const filter of [{}, { member: 'mem_none' }, { since: new Date(0), resource: 'whs_1' }]) {
      await listAuditLog(read, account, filter, { limit: 20 });
    }
  },
  'a delivery’s events are searched and looked up': async (
    { test, database: { read } },
    { account },
  ) => {
    const searches = [{}, { since: new Date(0) }, { type: 'invoice.issued' }, { subject: 'none' }];
    for (const search of searches) await searchEvents(read, account, search, { limit: 20 });
    const [event] = await test.query<{ id: string }>(
      'select id from event where account_id = $1 limit 1',
      [account],
    );
    if (!event) return;
    await getEvent(read, account, event.id);
    await getEventBody(read, account, event.id);
  },
  'the pages of operators read all counts, find accounts and look at one': async (
    { database: { read } },
    { account },
  ) => {
    await readEngineFacts(read);
    await readFlow(read);

    for (const search of ['', account, 'lar']) {
      const { page } = await findAccounts(read, search, { limit: 1 });
      await findAccounts(read, search, { limit: 20, cursor: page.nextCursor });
    }

    await readAccountTotals(read, account);

    const endpoints = await listEndpoints(read, account, { limit: 20 });
    await endpointBacklogs(
      read,
      endpoints.data.map(({ id }) => id),
    );

    await listDeadLetters(read, 'pdl_0');
    await getDeadLetter(read, 'pdl_00000').catch(() => undefined);
  },
  'the pages of operators look up ids, and what became of an event': async (
    { test, database: { read } },
    { account },
  ) => {
    await lookUpId(read, account);

    const at = new Date();

    for (const [table, prefix] of lookedUp) {
      const [row] = await test.query<{ id: string }>(
        `select t.id from "${table}" t where t.account_id = $1 limit 1`,
        [account],
      );
      const result = await lookUpId(read, row?.id ?? makeId(prefix, at));
      if (result?.eventId) await readEventTrail(read, result.eventId);
    }

    await lookUpId(read, 'chk_0VcFfl4S');
    await lookUpId(read, 'off_0VcFfl4S');

    for (const prefix of ['whd', 'prod', 'evt', 'ses', 'sec'] as const) {
      await lookUpId(read, makeId(prefix, at));
    }
  },
  'an offer is opened, and the checkout that accepts it': async ({ database }, { account }) => {
    const { read, transact } = database;
    const { id } = await transact(async (tx) => {
      const offer = await createOffer(tx, account, offerInput);
      return sendOffer(tx, account, offer.id);
    });
    await getHostedOffer(read, id);
    const address = await transact((tx) => openOfferCheckout(tx, id));
    await transact((tx) => openOfferCheckout(tx, id));
    const [checkout = ''] = address.split('/').slice(-1);
    await visitCheckout(read, checkout, { affiliate: null, framed: false });
    const buyer = { email: 'buyer@example.com', name: 'Buyer' };
    await transact((tx) => payHostedCheckout(tx, checkout, buyer));
  },
  'a checkout is made and paid': ({ database }, { account }) =>
    database.transact(async (tx) => {
      const { id } = await createCheckout(tx, account, checkoutInput);
      await recordPayment(tx, account, { checkout: id, key: 'paid' });
    }),
  'events of an account with a filter are published, with keys and without': async (
    { test, database: { read, transact } },
    { account },
  ) => {
    const endpointId = await insertEndpoint(test, account, `event_types = '{${event.type}}'`);
    await transact((tx) =>
      setEndpointOptions(tx, account, endpointId, { filter: '$.data.none == 1' }),
    );
    for (const key of [(place: number) => `filtered ${place}`, () => undefined]) {
      for (const count of [1, 2]) {
        const events = Array.from({ length: count }, (_, place) =>
          prepareEvent(preparationAt(new Date(), ''), account, {
            ...event,
            key: key(count + place),
          }),
        );
        await storeEvents(read, events);
      }
    }

    await tryFilter(read, account, endpointId, '$.data.none == 1');
    const [last] = await test.query<{ id: string }>(
      'select id from event where account_id = $1 order by id desc limit 1',
      [account],
    );
    await readEventAtEndpoint(read, account, last?.id ?? '', endpointId);
    await test.query('update endpoint set filter = null, filter_path = null');
    await test.query('update account set has_filters = null');
  },
};

/** The number of orders, each with a payment, of the account with long books. */
const orderCount = 3_000;

/** What most operations may read. */
const usual: Allowance = { rows: 300, blocks: 400 };

/** Cancelling 210 pending deliveries finds, reads and deletes each, and closes its record: 20 pages for each. */
const cancelling: Allowance = { rows: 2_000, blocks: 8_000 };

const searching: Allowance = { rows: 10_300, blocks: 25_000 };

/** The operations that may read more. */
const more: Readonly<Record<string, Allowance>> = {
  // It counts endpoints up to the limit of 1,000.
  'webhooks.endpoints.create': { rows: 1_300, blocks: 1_500 },
  'webhooks.endpoints.update': cancelling,
  'webhooks.endpoints.event_subscriptions.update': cancelling,
  'webhooks.endpoints.delete': cancelling,
  // One page reads at most 10,000 records or events; each may be on a page of its own.
  'a delivery list is searched, by each filter and by what no index finds': searching,
  'a delivery’s events are searched and looked up': searching,
  'the audit log is listed, and searched by what no index finds': searching,
  // It looks up the newest 10,000 endpoints, and probes the statistics of each.
  'a delivery’s failures are counted by endpoint': { rows: 10_300, blocks: 60_000 },
  // As `/metrics` it counts up to 100,000 index entries; each may be on a page of its own.
  'the pages of operators read all counts, find accounts and look at one': {
    rows: 80_000,
    blocks: 60_000,
  },
  // The busy account has 6,000 endpoints, which the statement counts and then filters.
  'events of an account with a filter are published, with keys and without': {
    rows: 30_000,
    blocks: 60_000,
  },
  '1,000 events are published at once, with keys and without': { rows: 12_000, blocks: 60_000 },
};

for (const [planned, { mode, statistics }] of shortened(Object.entries(modes), 2)) {
  describe(`what the API asks of tables that were filled at once, ${planned}`, () => {
    let fixture: Fixture;
    let big: ReadonlySet<string>;
    let whileEmpty: LoggedPlan[];
    let small: Shop;

    /** An account with very many endpoints and deliveries. */
    let busy: Shop;

    /** An account with long books. */
    let large: Shop;
    const schema = buildSchema();
    const documents = operationDocuments();
    const compiled = new Map(
      [...documents].map(([id, text]) => [
        id,
        compileOperation<unknown, object>(schema, { text }, () => undefined),
      ]),
    );

    before(async () => {
      const serverSettings = { ...explaining, ...apiServerSettings, plan_cache_mode: mode };
      const testDatabase = createTestDatabase(undefined, avoidScansOption);
      fixture = await createFixture({ pool: 1, serverSettings }, testDatabase);

      const { test, database } = fixture;
      await disableAutovacuum(test);
      small = await shopOf(fixture.account);
      busy = await shopOf(fixture.other);

      const { id } = await database.transact((tx) => createAccount(tx, { name: 'Large' }));
      large = await shopOf(id);
      if (statistics === 'empty') await setStatisticsToEmpty(test);
      if (statistics === 'size') await test.query('vacuum analyze');

      // Other plans are made for the values of each run.
      if (mode === 'force_generic_plan') whileEmpty = await plansOf(runAll);

      await bulkFill(test, busy.account);

      // On a connection that reports no plans.
      const { read, transact } = await test.open({ serverSettings: apiServerSettings });
      const since = await partitionsSince(read);
      await fillAccount({ read, transact, since }, { account: id, orders: orderCount, seed: 1 });

      if (statistics === 'all') await test.query('analyze');
      big = await bigTables(test);
    });

    after(() => fixture.drop());

    /** Runs everything for the small account, while nothing but the fixture exists. */
    async function runAll(): Promise<void> {
      for (const [operation, asked] of Object.entries(operationVariables)) {
        for (const variables of asked) await run(operation, variables, small);
      }
      for (const other of Object.values(otherOperations)) await other(fixture, small);
    }

    async function shopOf(account: string): Promise<Shop> {
      return {
        account,
        viewer: await fixture.viewer('live', { account }),
        token: await fixture.token('live', { account }),
      };
    }

    async function run(id: string, variables: Variables, { account, viewer }: Shop) {
      const { test, database } = fixture;
      const subject = async (query: string) => {
        const [row] = await test.query<{ id: string }>(query, [account]);
        if (!row) throw new Error(`${id}: there is nothing to ask for`);
        return row.id;
      };

      if (id === 'commerce.offers.cancel') {
        await database.transact((tx) => createOffer(tx, account, offerInput));
      }

      const operation = compiled.get(id);
      if (!operation) throw new Error(`${id} has no document`);

      // A replay, which would wait for a worker, gets the record of another attempt.
      const waitForReplay = async (pending: string): Promise<ReplayResult> => {
        await readReplays(database.read, [pending]);
        const { data: deliveries } = await listDeliveries(database.read, account, { limit: 1 });
        return { kind: 'recorded', delivery: deliveries[0]! };
      };

      const given = await variables(subject);
      await execute(operation, given, fixture.context(viewer, { waitForReplay })).catch(
        (error: unknown) => {
          // The busy account has more endpoints than it may have; counting them is what costs.
          if ((error as { code?: unknown }).code !== 'endpoint_limit_reached') throw error;
        },
      );
    }

    async function check(plans: readonly LoggedPlan[], most = usual): Promise<void> {
      expect(plans).to.have.lengthOf.above(0);
      expect(excessesOf(plans, big, most)).to.deep.equal([]);
      if (mode === 'force_generic_plan') {
        const replanned = await replannedOf(fixture.database, whileEmpty, plans);
        expect(replanned, 'planned since').to.deep.equal([]);
      }
    }

    it('the test covers every operation of /v1', () => {
      expect(Object.keys(operationVariables)).to.have.members([...documents.keys()]);
    });

    for (const [id, asked] of Object.entries(operationVariables)) {
      it(`${id} reads by indexes, and no more than it needs`, async () => {
        const plans = await plansOf(async () => {
          const shop = id.startsWith('webhooks.') ? busy : large;
          for (const variables of asked) await run(id, variables, shop);
        });
        await check(plans, more[id]);
      });
    }

    for (const [title, work] of Object.entries(otherOperations)) {
      it(`reads by indexes, and no more than it needs, when ${title}`, async () => {
        const plans = await plansOf(() =>
          work(fixture, title.startsWith('a delivery') ? busy : large),
        );
        await check(plans, more[title]);
      });
    }
  });
}

/** The variables of an operation; `subject` finds the id of its object. */
type Variables = (subject: (query: string) => Promise<string>) => object | Promise<object>;

function variablesOf({ id, subject, list: paging }: PublicOperation): readonly Variables[] {
  const own = ownVariables[id];
  if (own) return own;
  if (subject) return [subject === 'endpoint' ? ofEndpoint : ofLatest(subject)];
  if (paging === 'by number') return [() => list];
  throw new Error(`${id} needs variables`);
}

/** An account whose operations are run, and who runs them. */
interface Shop {
  readonly account: string;
  readonly viewer: Viewer;
  readonly token: string;
}
