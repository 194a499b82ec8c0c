import { authenticate, type Viewer } from '../../../src/domain/account/credentials.js';
import { readAccountTotals, findAccounts } from '../../../src/domain/account/accounts.js';
import { listAuditLog } from '../../../src/domain/audit/audit-log.js';
import { createCheckout, listCheckouts } from '../../../src/domain/checkout/checkouts.js';
import { type EntryFilter, searchEntries } from '../../../src/domain/payment/payments.js';
import { invoices } from '../../../src/domain/payment/invoices.js';
import { orders } from '../../../src/domain/payment/orders.js';
import { refunds } from '../../../src/domain/payment/refunds.js';
import { payHostedCheckout, visitCheckout } from '../../../src/domain/payment/hosted-checkout.js';
import { recordPayment } from '../../../src/domain/payment/record-payment.js';
import { readAccountLag } from '../../../src/domain/delivery/backlog.js';
import {
  getDelivery,
  listDeliveries,
  nextAttempts,
  endpointSummaries,
} from '../../../src/domain/delivery/deliveries.js';
import { getDeadLetter, listDeadLetters } from '../../../src/domain/delivery/dead-letters.js';
import { evidenceOfDeliveries } from '../../../src/domain/delivery/evidence-of-deliveries.js';
import { readEventTrail } from '../../../src/domain/delivery/event-trail.js';
import { endpointBacklogs, getEndpointHealth } from '../../../src/domain/delivery/health.js';
import { type DeliverySearch, searchDeliveries } from '../../../src/domain/delivery/search.js';
import { readEndpointFailures, readStatistics } from '../../../src/domain/delivery/statistics.js';
import { endpointsById, listEndpoints } from '../../../src/domain/endpoint/endpoints.js';
import { makeId } from '../../../src/domain/id.js';
import { getEvent, getEventBody, searchEvents } from '../../../src/domain/event/events.js';
import { preparationAt, prepareEvent } from '../../../src/domain/event/prepare-event.js';
import { publishEvent } from '../../../src/domain/event/publish.js';
import { storeEvents } from '../../../src/domain/event/store-events.js';
import {
  completePending,
  readKeyState,
  recordResponse,
  recordPending,
} from '../../../src/domain/idempotency-records.js';
import { getHostedOffer, openOfferCheckout } from '../../../src/domain/offer/hosted-offer.js';
import { createOffer } from '../../../src/domain/offer/offers.js';
import { sendOffer } from '../../../src/domain/offer/change-offer.js';
import { readEngineFacts, readFlow } from '../../../src/domain/service/engine-facts.js';
import { lookUpId } from '../../../src/domain/service/look-up-id.js';
import { publisherOf } from '../../support/publisher.js';
import { checkoutInput, event, offerInput, type Fixture } from './fixture.js';

/** Whose operations are run, on which of its things. */
export interface Shop {
  readonly account: string;
  readonly viewer: Viewer;
  readonly token: string;
}

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
export const otherOperations: Readonly<
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
      const found = await lookUpId(read, row?.id ?? makeId(prefix, at));
      if (found?.eventId) await readEventTrail(read, found.eventId);
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
};
