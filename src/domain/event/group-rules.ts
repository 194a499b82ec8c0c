import type { DomainError } from '../errors.js';
import { TransactionAborted } from '../tx.js';
import { isUnavailable } from '../unavailable.js';
import { aimedPendingDeliveries } from './fan-out.js';
import type { PreparedEvent } from './prepare-event.js';
import { keyConflict, type Published, SchemaOutdated } from './store-events.js';

/** The largest group, in events and in bytes of their bodies. */
export const largestGroup = { events: 250, bytes: 1_048_576 } as const;

/**
 * How many events the next group may have, after one of `events` events. It shrinks when several
 * events made more pending deliveries than expected, and grows again.
 * @param limit of the group before
 */
export function nextGroupSize(limit: number, events: number, pendingDeliveries: number): number {
  const larger = Math.min(largestGroup.events, 2 * limit);
  if (events === 1 || pendingDeliveries <= aimedPendingDeliveries) return larger;
  return Math.max(1, Math.floor((aimedPendingDeliveries * events) / pendingDeliveries));
}

/** How many events the next group may have, after PostgreSQL cancelled one of `events` events. */
export function groupSizeAfterTimeout(events: number): number {
  return Math.max(1, Math.floor(events / 2));
}

/**
 * What follows the failure of a group:
 * - `halve`: PostgreSQL refused a value of one event; send each half;
 * - `resend`: PostgreSQL cancelled the group, and stored nothing; send its events in smaller groups;
 * - `wait`: another transaction holds a lock, such as the key of the event; wait for it outside the
 *   queue, each event by itself;
 * - `fail`: nothing was stored, or it is unknown whether it was.
 */
export type Recovery = 'halve' | 'resend' | 'wait' | 'fail';

/** SQLSTATE classes of a value that PostgreSQL refuses: data, constraints, program limits. */
const refusedPattern = /^(?:22|23|54)/;
const lockNotAvailable = '55P03';

/**
 * Decides what follows when a group of `events` events fails with `error`.
 * @param keyed whether they have keys; the others wait for locks as long as the connection allows
 */
export function recoveryOf(error: unknown, events: number, keyed: boolean): Recovery {
  const { code, where } = (error ?? {}) as { readonly code?: unknown; readonly where?: unknown };
  if (typeof code !== 'string') return 'fail';
  if (code === lockNotAvailable) {
    if (!keyed) return 'fail';
    // Another lock, such as that of commits that notify or of a table, is no fault of one event.
    const waitedForKey = typeof where === 'string' && where.includes('publish_key');
    return waitedForKey && events > 1 ? 'halve' : 'wait';
  }
  if (events === 1) return 'fail';
  if (isTimeout(error)) return 'resend';
  return refusedPattern.test(code) ? 'halve' : 'fail';
}

export function halvesOf<Item>(group: readonly Item[]): [Item[], Item[]] {
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)];
}

/** Whether PostgreSQL cancelled a statement that took too long. */
export function isTimeout(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === '57014';
}

/**
 * The result of an event that waited for `leader`, which has the same key. Undefined if it must be
 * sent itself.
 */
export function resultOfFollower<Failure extends Error>(
  leader: PreparedEvent,
  follower: PreparedEvent,
  result: Published | Failure,
): Published | Failure | DomainError | undefined {
  const same = leader.key?.fingerprint === follower.key?.fingerprint;
  if (!(result instanceof Error)) return same ? { ...result, created: false } : keyConflict();
  if (result instanceof TransactionAborted || result instanceof SchemaOutdated) return undefined;
  return same || isUnavailable(result) ? result : undefined;
}
