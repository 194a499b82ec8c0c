import { getAccount } from '../../src/domain/account/accounts.js';
import { foldStatistics } from '../../src/domain/delivery/statistics.js';
import { DomainError } from '../../src/domain/errors.js';
import type { Read, Transact, Tx } from '../../src/domain/tx.js';
import { addBatch, countsOf, type HistoryPlan, kinds, type RowCounts } from './add-batch.js';
import { lastBefore, type LedgerGap, longestGap } from './ledger-gap.js';
import { createSubscribers, isSeeded } from './subscribers.js';
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
/** The history ends this long before the next entry, and before now, so that real ones can follow it at once. */
const tailMs = 60_000;
const maxFolded = 1_000;
/** An evaluator's test sales. More are a shop's, and nothing removes made-up orders from between them. */
const maxOwnOrders = 10;

/**
 * Gives an account a history of half a year up to now, or up to its first sales if these are as recent:
 * - orders, payments, refunds, invoices and credit notes
 * - checkouts and offers in every state
 * - three endpoints
 * - events and delivery records with evidence and statistics, as far back as partitions exist
 *
 * Commits batch by batch. Sends nothing.
 * @throws DomainError not_found; state_conflict when the account has orders of a shop, when its entries leave no
 *   time for a history, or when another process writes into that time meanwhile
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
  if (existing > maxOwnOrders && !(await isSeeded(database.read, account)))
    throw hasOwnOrders(existing);
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

/** Workers do this once a minute; the dashboard shows a seeded account at once. */
async function fold(transact: Transact): Promise<void> {
  while ((await transact((tx) => foldStatistics(tx, maxFolded))) === maxFolded);
}

interface Start {
  readonly gap: LedgerGap;
  readonly now: Date;
  /** The orders of the account, and those of them before the gap. */
  readonly existing: number;
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
    'The entries of the account leave no time for so many orders. Seed another account, or omit --account to create one.',
  );
}

function hasOwnOrders(orders: number): DomainError {
  return new DomainError(
    'state_conflict',
    `The account has ${orders.toLocaleString('en')} orders of its own, and made-up ones would stand between them. ` +
      'Seed another account, or omit --account to create one.',
  );
}
