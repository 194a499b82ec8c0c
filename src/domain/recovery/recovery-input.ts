import { type Issue, validationFailed } from '../errors.js';
import { storageProblem } from '../values/text.js';
import type { Recovery, RecoveryKind } from './recovery.entity.js';

/** Which events of an endpoint to recover. */
export interface RecoveryRange {
  readonly endpointId: string;
  readonly what: RecoveryKind;
  /** Events from this time on. Defaults to 30 days ago, before which no event is sent. */
  readonly since?: Date | null | undefined;
  /** Events up to this time. Defaults to now. */
  readonly until?: Date | null | undefined;
  /** Defaults to all types that the endpoint subscribes to. */
  readonly eventTypes?: readonly string[] | null | undefined;
  /** Whether to send missed events from before the subscription. Defaults to false. */
  readonly includeBefore?: boolean | null | undefined;
  /** 1 to 500. Defaults to 50. */
  readonly ratePerSecond?: number | null | undefined;
}

/** A recovery to start. */
export interface RecoveryInput extends RecoveryRange {
  /** The same key with the same content is the same recovery, as long as the service keeps it. */
  readonly idempotencyKey: string;
}

/** A range with its defaults filled in, cut to the events that are kept. */
export type CheckedRange = Pick<
  Recovery,
  'since' | 'until' | 'eventTypes' | 'includeBefore' | 'ratePerSecond'
>;

/** Deliveries a second. */
const defaultRate = 50;
const maxRate = 500;
/** An older event is not sent, as with replays. */
const retentionMs = 30 * 86_400_000;

/**
 * Fills in the defaults of a range at `now` and cuts it to the events that are kept.
 * @param subscribed the types that the endpoint subscribes to
 * @throws DomainError validation_failed with all issues
 */
export function checkRange(
  { since, until, eventTypes, includeBefore, ratePerSecond }: RecoveryRange,
  subscribed: readonly string[],
  now: Date,
): CheckedRange {
  const kept = new Date(now.getTime() - retentionMs);
  const checked = {
    since: since && since > kept ? since : kept,
    until: until && until < now ? until : now,
    eventTypes: eventTypes ? [...new Set(eventTypes)] : null,
    includeBefore: includeBefore ?? false,
    ratePerSecond: ratePerSecond ?? defaultRate,
  };

  const issues = [
    ...rangeIssues(checked),
    ...rateIssues(checked.ratePerSecond),
    ...typeIssues(checked.eventTypes, subscribed),
  ];
  if (issues.length > 0) throw validationFailed(issues);

  return checked;
}

function rangeIssues({ since, until }: Pick<CheckedRange, 'since' | 'until'>): Issue[] {
  if (since <= until) return [];
  const detail = 'Must not be before `since`, nor more than 30 days ago.';
  return [{ code: 'out_of_range', detail, param: 'until' }];
}

function rateIssues(rate: number): Issue[] {
  if (Number.isInteger(rate) && rate >= 1 && rate <= maxRate) return [];
  const detail = `Must be an integer from 1 to ${maxRate}.`;
  return [{ code: 'out_of_range', detail, param: 'ratePerSecond' }];
}

function typeIssues(types: readonly string[] | null, subscribed: readonly string[]): Issue[] {
  const param = 'eventTypes';
  if (types?.length === 0) {
    return [{ code: 'too_few_items', detail: 'Must have at least one item.', param }];
  }
  const other = types?.find((type) => !subscribed.includes(type));
  if (other === undefined) return [];
  const shown = storageProblem(other) === undefined ? `: ${other.slice(0, 255)}` : '';
  const detail = `The endpoint does not subscribe to this event type${shown}`;
  return [{ code: 'event_type_not_subscribed', detail, param }];
}
