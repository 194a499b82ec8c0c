import { getAccount } from '../../src/domain/account/accounts.js';
import { nextLedgerEntry } from '../../src/domain/commerce/ledger.js';
import { DomainError } from '../../src/domain/errors.js';
import type { Read, Transact, Tx } from '../../src/domain/tx.js';
import {
  addBatch,
  countsOf,
  type HistoryPlan,
  kinds,
  lastOffer,
  type RowCounts,
} from './add-batch.js';
import { createSubscribers } from './subscribers.js';
import { minStepMs, maxOrders } from './time-window-plan.js';

export interface SeedDatabase {
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

const spanMs = 180 * 86_400_000;
/** The history ends this long before now, so that real entries can follow it at once. */
const tailMs = 60_000;

/**
 * Gives an account a history of half a year up to now; it starts after the latest entry of the ledger:
 * - orders, payments, refunds, invoices and credit notes
 * - checkouts and offers in every state
 * - three endpoints
 * - events and delivery records, as far back as partitions exist
 *
 * Commits batch by batch. Sends nothing.
 * @throws DomainError not_found; state_conflict when the latest entry of the ledger is too recent, or
 *   another process writes to it meanwhile
 */
export async function fillAccount(
  database: SeedDatabase,
  options: FillOptions,
): Promise<FillResult> {
  const { account, orders, seed, progress, signal } = options;
  const { start, now, existingOrders } = await database.transact((tx) => readStart(tx, account));
  const missing = Math.max(0, orders - existingOrders);
  const made = countsOf(() => 0);
  if (missing === 0) return { account, orders: existingOrders, made, complete: true };
  const stepMs = Math.floor((now.getTime() - tailMs - start.getTime()) / missing);
  if (stepMs < minStepMs) throw tooRecent();
  const history: HistoryPlan = {
    ...{ account, seed, stepMs, now, start, since: database.since },
    firstOrder: existingOrders + 1,
    lastOrder: orders,
    subscribers: await createSubscribers(database, account, start),
  };
  for (let order = history.firstOrder; order <= orders; order += maxOrders) {
    if (signal?.aborted) return { account, orders: order - 1, made, complete: false };
    const rows = await database.transact((tx) => addBatch(tx, history, order));
    for (const kind of kinds) made[kind] += rows[kind];
    progress?.(Math.min(order + maxOrders - 1, orders));
  }
  return { account, orders, made, complete: true };
}

async function readStart(
  tx: Tx,
  account: string,
): Promise<{ start: Date; now: Date; existingOrders: number }> {
  await getAccount(tx, account);
  const spanStart = new Date(tx.now.getTime() - spanMs);
  const { at, order } = await nextLedgerEntry(tx, account, spanStart);
  const lastOfferAt = (await lastOffer(tx, account))?.at.getTime() ?? 0;
  return {
    start: new Date(Math.max(at.getTime(), lastOfferAt + 1)),
    now: tx.now,
    existingOrders: order - 1,
  };
}

function tooRecent(): DomainError {
  return new DomainError(
    'state_conflict',
    'The latest entry of the account is too recent: seed adds entries only after it. Seed another account, or omit --account to create one.',
  );
}
