import { singleRow } from '../rows.js';
import type { Read, Statement, Tx } from '../tx.js';
import { signalReplays } from './sql/notify-replays.js';
import {
  cancelBatch,
  cancelStatement,
  doneStatement,
  enqueueStatement,
  nextStatement,
  staleStatement,
  windowStatement,
} from './sql/cancel-statements.js';

/**
 * At most this many pending deliveries are scanned by one change of endpoints, even if few match.
 */
const cancelScanLimit = 5_000;

/**
 * Cancels the open pending deliveries that these endpoints no longer take: at most
 * {@link cancelBatch}, after scanning {@link cancelScanLimit}. Records a cancellation backlog for
 * `cancelFromBacklog` if some may be left, for example rows that another transaction has locked.
 * Call it in the transaction that changed the endpoints, after that change.
 * @param types types that are no longer subscribed. Defaults to null: the endpoints take nothing.
 * @returns how many were cancelled
 */
export async function cancelPendingDeliveries(
  tx: Tx,
  endpointIds: readonly string[],
  types: readonly string[] | null = null,
): Promise<number> {
  const { cancelled, anyLeft } = await runCancel<{ readonly anyLeft: boolean }>(
    tx,
    cancelStatement,
    [endpointIds, cancelBatch, cancelScanLimit],
  );
  if (anyLeft) await tx.sql(enqueueStatement, [endpointIds, types]);
  return cancelled;
}

/** An endpoint whose change left pending deliveries to cancel. */
export interface PendingCancellation {
  readonly endpointId: string;
  /**
   * Time of the change that needs it. A later change restarts the scan of its pending deliveries.
   */
  readonly since: Date;
}

/**
 * Returns the next endpoint with a cancellation backlog. Endpoints take turns, so none waits for
 * the backlog of another.
 * @param after the endpoint of the call before; empty to begin
 */
export async function nextPendingCancellation(
  read: Read,
  after: string,
): Promise<PendingCancellation | undefined> {
  const [pendingCancellation] = await read.sql<PendingCancellation>(nextStatement, [after]);
  return pendingCancellation;
}

/**
 * Cancels one window of an endpoint's cancellation backlog: about {@link cancelBatch} pending
 * deliveries. Claims skip the endpoint until its backlog is empty, so they need not read through
 * it.
 * @param after the event that the call before ended with; empty to begin
 * @returns `next` is undefined when the backlog of that endpoint is empty
 */
export async function cancelFromBacklog(
  tx: Tx,
  { endpointId, since }: PendingCancellation,
  after: string,
): Promise<{ readonly cancelled: number; readonly next: string | undefined }> {
  const { cancelled, next } = await runCancel<{ readonly next: string | null }>(
    tx,
    windowStatement,
    [endpointId, after, cancelBatch],
  );
  if (next === null) await tx.sql(doneStatement, [endpointId, since]);
  return { cancelled, next: next ?? undefined };
}

/** The result of one call of {@link cancelStale}. */
export interface StaleCancellations {
  readonly cancelled: number;
  /** The endpoint where the next call begins; empty when the walk is complete. */
  readonly next: string;
}

/**
 * Cancels stale pending deliveries. Attempts that ended, or were interrupted, while their endpoint
 * was being changed leave them. Looks at 500 endpoints at most and skips rows that another
 * transaction has locked.
 * @param after the `next` of the call before; empty to begin
 */
export async function cancelStale(tx: Tx, after: string): Promise<StaleCancellations> {
  const { cancelled, next } = await runCancel<{ readonly next: string | null }>(
    tx,
    staleStatement,
    [after, cancelBatch],
  );
  // A full batch may have left pending deliveries of the same endpoints behind.
  return { cancelled, next: cancelled === cancelBatch ? after : (next ?? '') };
}

interface Cancelled {
  readonly cancelled: number;
  readonly replays: number;
  readonly abandoned: number;
}

/** Runs a statement that cancels, and notifies callers that wait for a replay it ended. */
async function runCancel<Rest extends object>(
  tx: Tx,
  statement: Statement,
  values: readonly unknown[],
): Promise<Rest & { readonly cancelled: number }> {
  const row = await singleRow<Cancelled & Rest>(tx, statement, values);
  if (row.replays > 0) await signalReplays(tx);
  if (row.abandoned > 0) tx.countAbandoned(row.abandoned);
  return row;
}
