import { lockLedger } from '../../src/domain/commerce/ledger.js';
import { DomainError } from '../../src/domain/errors.js';
import type { Statement, Tx } from '../../src/domain/tx.js';
import { generateTimeWindow } from './ledger-builder.js';
import type { TimeWindow } from './ledger-entries.js';
import { generateDeliveries, statisticsOf, type Subscriber } from './deliveries.js';
import { evidenceOf } from './evidence.js';
import { insertRows } from './insert-rows.js';
import { lastBefore, moveUp, type Positions } from './ledger-gap.js';
import { openCheckouts } from './open-checkouts.js';
import { maxOrders, type NextNumbers } from './time-window-plan.js';
import { timelineEvents, openedCheckoutEvents, type TimelineOptions } from './timeline.js';

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
type Kind = keyof typeof tables;

/** The kinds of rows of a history. */
export const kinds = Object.keys(tables) as readonly Kind[];

/** The number of rows of each kind. */
export type RowCounts = Record<Kind, number>;

/** The plan of a history; every batch of it shares this plan. */
export interface HistoryPlan {
  readonly account: string;
  readonly seed: number;
  readonly start: Date;
  /** Its entries are earlier; those that are later move up in the ledger. */
  readonly until: Date;
  readonly now: Date;
  readonly stepMs: number;
  /** The earliest time for which event and delivery partitions exist. */
  readonly since: Date;
  readonly firstOrder: number;
  readonly lastOrder: number;
  readonly subscribers: readonly Subscriber[];
}

const openCount = 5;

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
 * Adds at most `maxOrders` orders from `firstOrder` on, and everything that belongs to them.
 * @throws DomainError state_conflict when another process wrote into the gap since the start
 */
export async function addBatch(
  tx: Tx,
  history: HistoryPlan,
  firstOrder: number,
): Promise<RowCounts> {
  const { account, seed, start, until, stepMs, now } = history;
  await lockLedger(tx, account);
  const last = await lastBefore(tx, account, until);
  const from = new Date(start.getTime() + (firstOrder - history.firstOrder) * stepMs);
  if (last.order + 1 !== firstOrder || (last.at !== null && last.at > from))
    throw concurrentWrite();

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
  const open = isLast ? openCheckouts(account, seed, openCount, now) : [];
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
export function countsOf(count: (kind: Kind) => number): RowCounts {
  return Object.fromEntries(kinds.map((kind) => [kind, count(kind)])) as RowCounts;
}

function concurrentWrite(): DomainError {
  return new DomainError(
    'state_conflict',
    'Another process wrote to the ledger of the account during seeding. Finished batches stay. Seed another account.',
  );
}
