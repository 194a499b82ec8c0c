import { smallestId, timestampOf } from '../id.js';
import type { Read } from '../tx.js';
import { findCandidates } from './candidates-statement.js';
import { recoveredTypes } from './recovered-types.js';
import { recoveryEndpoint } from './recovery-endpoint.js';
import { checkRange, type RecoveryRange } from './recovery-input.js';

/** What a recovery would send. */
export interface RecoveryPreview {
  readonly failed: number;
  readonly missed: number;
  /** When the first counted event was published; null without one. */
  readonly oldest: Date | null;
  readonly newest: Date | null;
  /** False when there may be more: the counts then hold up to `countedUntil`. */
  readonly complete: boolean;
  readonly countedUntil: Date;
  /** How long the counted ones take at the rate, in seconds. */
  readonly estimatedSeconds: number;
}

/** A preview reads at most this many events of the account. */
const maxEvents = 10_000;

/**
 * Counts the events that a recovery would send now, and changes nothing. Reads at most 10,000 events.
 * @throws DomainError not_found, validation_failed
 */
export async function previewRecovery(
  read: Read,
  accountId: string,
  range: RecoveryRange,
): Promise<RecoveryPreview> {
  const { endpointId, what } = range;
  const endpoint = await recoveryEndpoint(read, accountId, endpointId);
  const checked = checkRange(range, endpoint.eventTypes, endpoint.now);
  const { since, until, eventTypes, includeBefore, ratePerSecond } = checked;
  const { found, bound } = await findCandidates(read, {
    accountId,
    endpointId,
    what,
    events: maxEvents,
    limit: maxEvents,
    after: smallestId('evt', since),
    before: smallestId('evt', new Date(until.getTime() + 1)),
    types: recoveredTypes(endpoint, eventTypes, includeBefore),
  });
  const first = found.at(0);
  const last = found.at(-1);
  return {
    failed: found.filter(({ latest }) => latest !== null).length,
    missed: found.filter(({ latest }) => latest === null).length,
    oldest: first ? timestampOf(first.id) : null,
    newest: last ? timestampOf(last.id) : null,
    complete: bound === null,
    countedUntil: bound === null ? until : timestampOf(bound),
    estimatedSeconds: Math.ceil(found.length / ratePerSecond),
  };
}
