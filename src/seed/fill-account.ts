import { getAccount } from '../domain/account/accounts.js';
import { holdLedger, type NextEntry, nextEntry } from '../domain/commerce/ledger.js';
import { DomainError } from '../domain/errors.js';
import { makeId } from '../domain/id.js';
import type { Read, Statement, Transact, Tx } from '../domain/tx.js';
import { deliveriesOf, type Listener } from './deliveries.js';
import { insertRows } from './insert-rows.js';
import { makeListeners } from './listeners.js';
import { openCheckouts } from './open-checkouts.js';
import { leastStepMs, maxOrders, type NextNumbers, type Stretch, stretchOf } from './stretch.js';
import { eventsOf, openingsOf, type Telling } from './telling.js';

/** Where an account is filled. */
export interface Ground {
  readonly read: Read;
  readonly transact: Transact;
  /** Since when events and deliveries can be stored. */
  readonly since: Date;
}

/** How an account is filled. */
export interface Filling {
  readonly account: string;
  /** How many orders the account has afterwards. */
  readonly orders: number;
  readonly seed: number;
  /** Told after each batch how many orders there are. */
  readonly progress?: (orders: number) => void;
  /** Once aborted, no further batch is begun. */
  readonly signal?: AbortSignal;
}

/** What an account has after it was filled. */
export interface Filled {
  readonly account: string;
  readonly orders: number;
  /** Rows that were made by this run. */
  readonly made: Readonly<Record<MadeRows, number>>;
  /** False when it was interrupted: the same call goes on where it stopped. */
  readonly complete: boolean;
}

type MadeRows =
  'checkouts' | 'orders' | 'payments' | 'refunds' | 'invoices' | 'events' | 'deliveries';

const spanMs = 180 * 86_400_000;
/** The history ends a little before this moment, so that it does not stand in the way of the present. */
const tailMs = 60_000;
const openCount = 5;
const ofNoAge = new Date(0);

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
 * Gives an account a history of half a year up to now, or since its latest entry where that is later:
 * checkouts in every state, orders, payments, refunds, invoices and credit notes, three endpoints,
 * and as far back as there is room for them the events and delivery records. Batches are committed
 * one by one; nothing is sent.
 * @throws DomainError not_found; state_conflict when the account's latest entry is too recent, or
 *   others wrote to its books meanwhile
 */
export async function fillAccount(ground: Ground, filling: Filling): Promise<Filled> {
  const { account, orders, seed, progress, signal } = filling;
  const { start, now, have } = await ground.transact((tx) => beginning(tx, account));
  const missing = Math.max(0, orders - have);
  const made = noRows();
  if (missing === 0) return { account, orders: have, made, complete: true };
  const stepMs = Math.floor((now.getTime() - tailMs - start.getTime()) / missing);
  if (stepMs < leastStepMs) throw tooRecent();
  const season: Season = {
    ...{ account, seed, stepMs, now, start, since: ground.since },
    firstOrder: have + 1,
    lastOrder: orders,
    listeners: await makeListeners(ground, account, start),
  };
  for (let order = season.firstOrder; order <= orders; order += maxOrders) {
    if (signal?.aborted) return { account, orders: order - 1, made, complete: false };
    const rows = await ground.transact((tx) => addBatch(tx, season, order));
    for (const kind of Object.keys(made) as MadeRows[]) made[kind] += rows[kind];
    progress?.(Math.min(order + maxOrders - 1, orders));
  }
  return { account, orders, made, complete: true };
}

/** A history as it was planned at its beginning. */
interface Season {
  readonly account: string;
  readonly seed: number;
  readonly start: Date;
  readonly now: Date;
  readonly stepMs: number;
  readonly since: Date;
  readonly firstOrder: number;
  readonly lastOrder: number;
  readonly listeners: readonly Listener[];
}

async function beginning(
  tx: Tx,
  account: string,
): Promise<{ start: Date; now: Date; have: number }> {
  await getAccount(tx, account);
  const span = new Date(tx.now.getTime() - spanMs);
  const { at, order } = await nextEntry(tx, account, span);
  return { start: at, now: tx.now, have: order - 1 };
}

async function addBatch(
  tx: Tx,
  season: Season,
  firstOrder: number,
): Promise<Record<MadeRows, number>> {
  const { account, seed, start, stepMs, now } = season;
  await holdLedger(tx, account);
  const entry = await nextEntry(tx, account, ofNoAge);
  const from = new Date(start.getTime() + (firstOrder - season.firstOrder) * stepMs);
  if (entry.order !== firstOrder || entry.at.getTime() > from.getTime()) throw interfered();
  const stretch = stretchOf({
    ...{ seed, account, from, stepMs, now, makeId },
    orders: Math.min(maxOrders, season.lastOrder - firstOrder + 1),
    next: await nextNumbers(tx, account, entry),
  });
  const { invoiceNumber, creditNoteNumber } = stretch.next;
  await tx.sql(countStatement, [account, invoiceNumber, creditNoteNumber]);
  return insertStretch(tx, season, stretch, firstOrder + maxOrders > season.lastOrder);
}

async function nextNumbers(tx: Tx, account: string, entry: NextEntry): Promise<NextNumbers> {
  const { order, payment, refund, invoice } = entry;
  const [numbers] = await tx.sql<{ invoice: number; creditNote: number }>(numbersStatement, [
    account,
  ]);
  const { invoice: invoiceNumber = 1, creditNote: creditNoteNumber = 1 } = numbers ?? {};
  return { order, payment, refund, invoice, invoiceNumber, creditNoteNumber };
}

async function insertStretch(
  tx: Tx,
  { account, seed, now, since, listeners }: Season,
  stretch: Stretch,
  isLast: boolean,
): Promise<Record<MadeRows, number>> {
  const telling: Telling = { account, baseUrl: tx.rules.baseUrl, since, makeId };
  const open = isLast ? openCheckouts({ account, makeId }, seed, openCount, now) : [];
  const events = [...eventsOf(stretch, telling), ...openingsOf(open, telling)];
  const { delaysMs } = tx.rules.retry;
  const rows = {
    checkouts: [...stretch.sales.map(({ checkout }) => checkout), ...stretch.expired, ...open],
    orders: stretch.sales.map(({ order }) => order),
    payments: stretch.sales.map(({ payment }) => payment),
    refunds: stretch.returns.map(({ refund }) => refund),
    invoices: [
      ...stretch.sales.map(({ invoice }) => invoice),
      ...stretch.returns.map(({ creditNote }) => creditNote),
    ],
    events,
    deliveries: deliveriesOf(events, { seed, listeners, delaysMs, now, makeId }),
  };
  // In the order in which one refers to another.
  await insertRows(tx, 'checkout', rows.checkouts);
  await insertRows(tx, 'order', rows.orders);
  await insertRows(tx, 'payment', rows.payments);
  await insertRows(tx, 'refund', rows.refunds);
  await insertRows(tx, 'invoice', rows.invoices);
  await insertRows(tx, 'event', rows.events);
  await insertRows(tx, 'delivery', rows.deliveries);
  return countOf(rows);
}

function countOf(rows: Record<MadeRows, readonly object[]>): Record<MadeRows, number> {
  const counts = noRows();
  for (const kind of Object.keys(counts) as MadeRows[]) counts[kind] = rows[kind].length;
  return counts;
}

function noRows(): Record<MadeRows, number> {
  return {
    ...{ checkouts: 0, orders: 0, payments: 0, refunds: 0, invoices: 0 },
    ...{ events: 0, deliveries: 0 },
  };
}

function tooRecent(): DomainError {
  return new DomainError(
    'state_conflict',
    'The books of the account go up to a moment ago, and entries are only ever added after the latest one. Fill another account, or leave --account out to make one.',
  );
}

function interfered(): DomainError {
  return new DomainError(
    'state_conflict',
    'Somebody else wrote to the books of the account meanwhile. The batches that were finished stay; fill another account.',
  );
}
