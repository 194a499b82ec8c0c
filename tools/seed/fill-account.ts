// Fills an account with the made-up history of a shop: half a year of sales, events and deliveries.
//
// The same seed always makes the same shop. Decisions are pure functions: a time window of sales (time-window.ts)
// from carts (purchase.ts), its events (timeline.ts), and the records of their deliveries (deliveries.ts). This file
// inserts them, one time window per transaction.
//
// Positions in a ledger have no gaps, and a later entry has a later time; see ledger-gap.ts for where a history fits.
// A crash or Ctrl-C leaves whole batches: the same command continues after the last one.
import { getAccount } from '../../src/domain/account/accounts.js';
import { lockLedger } from '../../src/domain/commerce/ledger.js';
import { foldStatistics } from '../../src/domain/delivery/statistics.js';
import type { Endpoint } from '../../src/domain/endpoint/endpoint.entity.js';
import { addSecret } from '../../src/domain/endpoint/secrets.js';
import { DomainError } from '../../src/domain/errors.js';
import { makeId } from '../../src/domain/values/id.js';
import type { Read, Statement, Transact, Tx } from '../../src/domain/transaction/tx.js';
import { evidenceOf, generateDeliveries, statisticsOf, type Subscriber } from './deliveries.js';
import { lastBefore, type LedgerGap, longestGap, moveUp, type Positions } from './ledger-gap.js';
import {
  generateTimeWindow,
  maxOrders,
  minStepMs,
  type NextNumbers,
  openCheckouts,
  type TimeWindow,
} from './time-window.js';
import { openedCheckoutEvents, timelineEvents, type TimelineOptions } from './timeline.js';

interface SeedDatabase {
  readonly read: Read;
  readonly transact: Transact;
  /** The earliest time for which event and delivery partitions exist. */
  readonly since: Date;
}

export interface FillOptions {
  readonly account: string;
  /** The total number of orders after the call. */
  readonly orders: number;
  readonly seed: number;
  /** Called after each batch with the number of orders so far. */
  readonly progress?: (orders: number) => void;
  /** Once aborted, no further batch starts. */
  readonly signal?: AbortSignal;
}

export interface FillResult {
  readonly account: string;
  readonly orders: number;
  /** Rows that this call created. */
  readonly made: Readonly<RowCounts>;
  /** False when it was interrupted: the same call continues from there. */
  readonly complete: boolean;
}

type Kind = keyof typeof tables;

/** The tables of a history, in the order of their foreign keys, by the kind of their rows. */
const tables = {
  offers: 'offer',
  checkouts: 'checkout',
  orders: 'order',
  payments: 'payment',
  refunds: 'refund',
  invoices: 'invoice',
  events: 'event',
  deliveries: 'delivery',
} as const;

const spanMs = 180 * 86_400_000;

/** The history ends this long before the next entry and before now, so that real entries can follow at once. */
const tailMs = 60_000;

const maxFolded = 1_000;

/**
 * An account with more orders of its own is a real shop and gets no history: made-up orders could not be
 * removed from between its own.
 */
const maxOwnOrders = 10;

/**
 * Gives an account a history of half a year up to now, or up to its first sales if these are as recent:
 * - orders, payments, refunds, invoices and credit notes
 * - checkouts and offers in every state
 * - three endpoints
 * - events and delivery records with evidence and statistics, as far back as partitions exist
 *
 * Commits batch by batch. Sends nothing.
 * @throws DomainError not_found; state_conflict if the account has the orders of a real shop, if its entries leave
 *   no time for a history, or if another process writes to its ledger meanwhile
 */
export async function fillAccount(
  database: SeedDatabase,
  options: FillOptions,
): Promise<FillResult> {
  const { account, orders, seed, progress, signal } = options;
  const { gap, now, existing, before } = await database.transact((tx) => readStart(tx, account));
  const missing = Math.max(0, orders - existing);
  const made = countsOf(() => 0);

  if (missing === 0) return { account, orders: existing, made, complete: true };

  const stepMs = Math.floor((gap.until.getTime() - tailMs - gap.from.getTime()) / missing);
  if (stepMs < minStepMs) throw tooRecent();
  if (existing > maxOwnOrders && !(await isSeeded(database.read, account))) {
    throw hasOwnOrders(existing);
  }

  const history: HistoryPlan = {
    account,
    seed,
    stepMs,
    now,
    start: gap.from,
    until: gap.until,
    since: database.since,
    firstOrder: before + 1,
    lastOrder: before + missing,
    subscribers: await createSubscribers(database, account, gap.from),
  };
  for (let added = 0; added < missing; added += maxOrders) {
    if (signal?.aborted) return { account, orders: existing + added, made, complete: false };
    const rows = await database.transact((tx) => addBatch(tx, history, history.firstOrder + added));
    for (const kind of kinds) made[kind] += rows[kind];
    await fold(database.transact);
    progress?.(existing + Math.min(added + maxOrders, missing));
  }

  return { account, orders, made, complete: true };
}

/** Adds up the statistics now, for the dashboard; workers would do it within a minute. */
async function fold(transact: Transact): Promise<void> {
  while ((await transact((tx) => foldStatistics(tx, maxFolded))) === maxFolded);
}

interface Start {
  readonly gap: LedgerGap;
  readonly now: Date;
  /** All orders of the account. */
  readonly existing: number;
  /** Its orders before the gap. */
  readonly before: number;
}

async function readStart(tx: Tx, account: string): Promise<Start> {
  await getAccount(tx, account);
  const gap = await longestGap(tx, account, new Date(tx.now.getTime() - spanMs));
  const all = await lastBefore(tx, account, new Date(tx.now.getTime() + spanMs));
  const before = await lastBefore(tx, account, gap.until);
  return { gap, now: tx.now, existing: all.order, before: before.order };
}

function tooRecent(): DomainError {
  return new DomainError(
    'state_conflict',
    'The existing entries of the account leave no time for so many orders. Seed another account, or omit --account to create one.',
  );
}

function hasOwnOrders(orders: number): DomainError {
  return new DomainError(
    'state_conflict',
    `The account has ${orders.toLocaleString('en')} orders already, which made-up orders would mix with. ` +
      'Seed another account, or omit --account to create one.',
  );
}

/** The kinds of rows of a history. */
const kinds = Object.keys(tables) as readonly Kind[];

/** The number of rows of each kind. */
type RowCounts = Record<Kind, number>;

/** The plan that all batches of a history share. */
interface HistoryPlan {
  readonly account: string;
  readonly seed: number;
  readonly start: Date;
  /** All made-up entries are earlier. Existing entries after this time move up in the ledger. */
  readonly until: Date;
  readonly now: Date;
  readonly stepMs: number;
  /** The earliest time for which event and delivery partitions exist. */
  readonly since: Date;
  readonly firstOrder: number;
  readonly lastOrder: number;
  readonly subscribers: readonly Subscriber[];
}

const openCheckoutCount = 5;

const numbersStatement: Statement = {
  name: 'seed-numbers',
  text: `select invoice_count + 1 as invoice, credit_note_count + 1 as "creditNote"
           from account where id = $1`,
};

const countStatement: Statement = {
  name: 'seed-count',
  text: `update account set invoice_count = $2 - 1, credit_note_count = $3 - 1 where id = $1`,
};

/**
 * Adds at most `maxOrders` orders, beginning with `firstOrder`, and everything that belongs to them.
 * @throws DomainError state_conflict if another process wrote into the gap since the start
 */
async function addBatch(tx: Tx, history: HistoryPlan, firstOrder: number): Promise<RowCounts> {
  const { account, seed, start, until, stepMs, now } = history;
  await lockLedger(tx, account);

  const last = await lastBefore(tx, account, until);
  const from = new Date(start.getTime() + (firstOrder - history.firstOrder) * stepMs);
  if (last.order + 1 !== firstOrder || (last.at !== null && last.at > from)) {
    throw concurrentWrite();
  }

  const next = await nextNumbers(tx, account, last);
  const timeWindow = generateTimeWindow({
    seed,
    account,
    from,
    stepMs,
    now,
    baseUrl: tx.rules.baseUrl,
    orders: Math.min(maxOrders, history.lastOrder - firstOrder + 1),
    next,
  });

  await moveUp(tx, account, last, {
    order: timeWindow.next.order - next.order,
    payment: timeWindow.next.payment - next.payment,
    refund: timeWindow.next.refund - next.refund,
    invoice: timeWindow.next.invoice - next.invoice,
    offer: timeWindow.next.offer - next.offer,
  });

  const { invoiceNumber, creditNoteNumber } = timeWindow.next;
  await tx.sql(countStatement, [account, invoiceNumber, creditNoteNumber]);

  return insertTimeWindow(tx, history, timeWindow, firstOrder + maxOrders > history.lastOrder);
}

async function nextNumbers(tx: Tx, account: string, last: Positions): Promise<NextNumbers> {
  const [numbers] = await tx.sql<{ invoice: number; creditNote: number }>(numbersStatement, [
    account,
  ]);
  return {
    order: last.order + 1,
    payment: last.payment + 1,
    refund: last.refund + 1,
    invoice: last.invoice + 1,
    offer: last.offer + 1,
    invoiceNumber: numbers?.invoice ?? 1,
    creditNoteNumber: numbers?.creditNote ?? 1,
  };
}

async function insertTimeWindow(
  tx: Tx,
  { account, seed, now, since, subscribers }: HistoryPlan,
  timeWindow: TimeWindow,
  isLast: boolean,
): Promise<RowCounts> {
  const timelineOptions: TimelineOptions = { account, baseUrl: tx.rules.baseUrl, since };
  const open = isLast ? openCheckouts(account, seed, openCheckoutCount, now) : [];
  const events = [
    ...timelineEvents(timeWindow, timelineOptions),
    ...openedCheckoutEvents(open, timelineOptions),
  ];

  const { delaysMs } = tx.rules.retry;
  const deliveries = generateDeliveries(events, { seed, subscribers, delaysMs, now });
  const rows: Record<Kind, readonly object[]> = {
    offers: timeWindow.offers,
    checkouts: [
      ...timeWindow.sales.map(({ checkout }) => checkout),
      ...timeWindow.expired,
      ...open,
    ],
    orders: timeWindow.sales.map(({ order }) => order),
    payments: timeWindow.sales.map(({ payment }) => payment),
    refunds: timeWindow.refundEntries.map(({ refund }) => refund),
    invoices: [
      ...timeWindow.sales.map(({ invoice }) => invoice),
      ...timeWindow.refundEntries.map(({ creditNote }) => creditNote),
    ],
    events,
    deliveries,
  };

  for (const kind of kinds) await insertRows(tx, tables[kind], rows[kind]);
  await insertRows(tx, 'delivery_evidence', evidenceOf(deliveries, subscribers));
  await insertRows(tx, 'delivery_statistics_delta', statisticsOf(deliveries));

  return countsOf((kind) => rows[kind].length);
}

/** Counts the rows of each kind. */
function countsOf(count: (kind: Kind) => number): RowCounts {
  return Object.fromEntries(kinds.map((kind) => [kind, count(kind)])) as RowCounts;
}

function concurrentWrite(): DomainError {
  return new DomainError(
    'state_conflict',
    'Another process wrote to the ledger of the account during seeding. Finished batches stay. Seed another account.',
  );
}

/** The endpoints of the made-up shop: one active, one that the service disabled, one inactive. */
const endpoints = [
  {
    url: 'https://hooks.shop.example/orders',
    description: 'Order pipeline',
    eventTypes: [
      'cart.checkout.created',
      'cart.order.completed',
      'payment.sale.succeeded',
      'payment.refund.created',
    ],
    medianMs: 140,
    state: 'active',
  },
  {
    url: 'https://books.shop.example/invoices',
    description: 'Bookkeeping',
    eventTypes: ['invoice.issued', 'invoice.credit_note.issued'],
    medianMs: 420,
    state: 'disabled',
  },
  {
    url: 'https://staging.shop.example/everything',
    description: 'Staging',
    eventTypes: ['cart.checkout.created', 'cart.checkout.expired', 'cart.order.completed'],
    medianMs: 0,
    state: 'inactive',
  },
] as const;

const hourMs = 3_600_000;

const endpointsStatement: Statement = {
  name: 'seed-endpoints',
  text: `select id, url, event_types as "eventTypes", failing_since as "failingSince",
                updated_at as "updatedAt", disabled_reason as "disabledReason"
           from endpoint
          where account_id = $1 and url = any($2::text[]) and deleted_at is null`,
};

type ExistingEndpoint = Pick<
  Endpoint,
  'id' | 'url' | 'eventTypes' | 'failingSince' | 'updatedAt' | 'disabledReason'
>;

/**
 * Returns the endpoints that received events. If an earlier run created none for the account, creates
 * new ones with the time `at`. Their signing secrets are random, as always.
 */
async function createSubscribers(
  { read, transact }: { readonly read: Read; readonly transact: Transact },
  account: string,
  at: Date,
): Promise<readonly Subscriber[]> {
  const earlier = await findEarlier(read, account);
  if (earlier.length > 0) return earlier.filter(hasReceivedEvents).map(toSubscriber);
  return transact(async (tx) => {
    const created = endpoints.map((_, index) => endpointOf(account, index, at, tx.now));
    await insertRows(tx, 'endpoint', created);
    for (const { id } of created) await addSecret(tx, id, at);
    return created.filter(hasReceivedEvents).map(toSubscriber);
  });
}

/** Whether an earlier run has begun to fill the account. */
async function isSeeded(read: Pick<Read, 'sql'>, account: string): Promise<boolean> {
  return (await findEarlier(read, account)).length > 0;
}

function findEarlier(read: Pick<Read, 'sql'>, account: string): Promise<ExistingEndpoint[]> {
  return read.sql<ExistingEndpoint>(endpointsStatement, [account, endpoints.map(({ url }) => url)]);
}

function endpointOf(account: string, index: number, at: Date, now: Date): ExistingEndpoint {
  const { url, description, eventTypes, state } = endpoints[index] ?? endpoints[0];
  const createdAt = new Date(at.getTime() + index);
  const disabled = state === 'disabled';

  // Other columns stay null.
  const row = {
    id: makeId('whs', createdAt),
    accountId: account,
    url,
    description,
    createdAt,
    active: state === 'active',
    notificationEmail: 'ops@shop.example',
    eventTypes: [...eventTypes],
    disabledReason: disabled ? 'consecutive_failures' : null,
    // The 120 h after which the service disables an endpoint, plus a day.
    failingSince: disabled ? new Date(now.getTime() - 144 * hourMs) : null,
    failureCount: disabled ? 10 : 0,
    warnings: disabled ? 2 : 0,
    updatedAt: disabled ? new Date(now.getTime() - 24 * hourMs) : createdAt,
  } satisfies Partial<Endpoint>;
  return row;
}

function toSubscriber({
  id,
  url,
  eventTypes,
  disabledReason,
  failingSince,
  updatedAt,
}: ExistingEndpoint): Subscriber {
  const failing = disabledReason !== null && failingSince !== null;
  return {
    id,
    url,
    medianMs: endpoints.find((endpoint) => endpoint.url === url)?.medianMs ?? 0,
    eventTypes,
    failing: failing ? { from: failingSince, until: updatedAt } : null,
  };
}

/** False for the endpoint that was always inactive. */
function hasReceivedEvents({ url }: ExistingEndpoint): boolean {
  return endpoints.some((endpoint) => endpoint.url === url && endpoint.state !== 'inactive');
}

type Table =
  | 'offer'
  | 'checkout'
  | 'order'
  | 'payment'
  | 'refund'
  | 'invoice'
  | 'endpoint'
  | 'event'
  | 'delivery'
  | 'delivery_evidence'
  | 'delivery_statistics_delta';

/** Inserts any number of rows into one table with one statement; property names become columns. */
async function insertRows(tx: Tx, table: Table, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.sql(insertStatement(table), [JSON.stringify(rows.map(columnsOf))]);
}

function insertStatement(table: Table): Statement {
  const text = `insert into "${table}" select * from json_populate_recordset(null::"${table}", $1)`;
  return { name: `seed-${table}`, text };
}

/** Returns the columns of an entity as JSON, in the formats that json_populate_recordset parses. */
function columnsOf(row: object): Record<string, unknown> {
  const columns = Object.entries({ ...row, ...('totals' in row ? (row.totals as object) : {}) })
    .filter(([name]) => name !== 'totals')
    .map(([name, value]: [string, unknown]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
    ]);
  return Object.fromEntries(columns) as Record<string, unknown>;
}
