import { getAccount } from '../../src/domain/account/accounts.js';
import { nextLedgerEntry } from '../../src/domain/commerce/ledger.js';
import { DomainError } from '../../src/domain/errors.js';
import type { Read, Transact, Tx } from '../../src/domain/tx.js';
import { addBatch, lastOffer, type RowCounts, zeroCounts, type HistoryPlan } from './add-batch.js';
import { createSubscribers } from './subscribers.js';
import { minStepMs, maxOrders } from './time-window-plan.js';

/** Where an account is filled. */
export interface SeedDatabase {
  readonly read: Read;
  readonly transact: Transact;
  /** Since when events and deliveries can be stored. */
  readonly since: Date;
}

/** How an account is filled. */
export interface FillOptions {
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
export interface FillResult {
  readonly account: string;
  readonly orders: number;
  /** Rows that were made by this run. */
  readonly made: Readonly<RowCounts>;
  /** False when it was interrupted: the same call goes on where it stopped. */
  readonly complete: boolean;
}

const spanMs = 180 * 86_400_000;
/** The history ends a little before this moment, so that it does not stand in the way of the present. */
const tailMs = 60_000;

/**
 * Gives an account a history of half a year up to now, or since its latest entry where that is later:
 * checkouts in every state, orders, payments, refunds, invoices and credit notes, offers in every
 * state, three endpoints, and as far back as there is room for them the events and delivery records.
 * Batches are committed one by one; nothing is sent.
 * @throws DomainError not_found; state_conflict when the account's latest entry is too recent, or
 *   others wrote to its books meanwhile
 */
export async function fillAccount(
  database: SeedDatabase,
  options: FillOptions,
): Promise<FillResult> {
  const { account, orders, seed, progress, signal } = options;
  const { start, now, existingOrders } = await database.transact((tx) => readStart(tx, account));
  const missing = Math.max(0, orders - existingOrders);
  const made = zeroCounts();
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
    for (const kind of Object.keys(made) as (keyof RowCounts)[]) made[kind] += rows[kind];
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
    'The account sold something a moment ago, and seed adds entries only after the latest one. Seed another account, or leave --account out to create one.',
  );
}
