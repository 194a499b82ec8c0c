import type { Issue } from '../errors.js';
import { storageProblem } from '../text-issues.js';

/** What the rule needs to know of one event type of the catalogue. */
export interface CatalogueEntry {
  readonly id: string;
  readonly acceptsNewSubscriptions: boolean;
  /** False: the type is out of the catalogue, which only its existing subscriptions outlive. */
  readonly listed: boolean;
}

/** What an endpoint is to subscribe to; `types` counts only when there are no `errors`. */
export interface Subscription {
  readonly types: readonly string[];
  readonly errors: readonly Issue[];
}

const param = 'event_types';

/**
 * Judges the event types that an endpoint wants (H6, H28, H29).
 * What it has it may keep, offered or not; what it adds must be listed and accept new subscriptions.
 * Duplicates count once; the order is the one wanted.
 * @param current what the endpoint subscribes to; empty for one that is being created
 * @param catalogue the catalogue's entries for at least the types that are wanted
 */
export function checkSubscription(
  current: readonly string[],
  wanted: readonly string[],
  catalogue: readonly CatalogueEntry[],
): Subscription {
  const types = [...new Set(wanted)];
  if (types.length === 0) {
    const detail = 'Must have at least 1 item.';
    return { types, errors: [{ code: 'too_few_items', detail, param }] };
  }
  const unstorableReason = types.map(storageProblem).find((reason) => reason !== undefined);
  if (unstorableReason !== undefined) {
    return { types, errors: [{ code: 'invalid_value', detail: unstorableReason, param }] };
  }
  const existing = new Set(current);
  const entries = new Map(catalogue.map((entry) => [entry.id, entry]));
  const added = types.filter((type) => !existing.has(type));
  const unknown = added.filter((type) => entries.get(type)?.listed !== true);
  const notOffered = added.filter((type) => {
    const entry = entries.get(type);
    return entry?.listed === true && !entry.acceptsNewSubscriptions;
  });
  const errors: Issue[] = [];
  if (notOffered.length > 0) {
    const detail = `No longer offered for new subscriptions: ${notOffered.join(', ')}`;
    errors.push({ code: 'event_type_not_offered', detail, param });
  }
  if (unknown.length > 0) {
    const detail = `Unknown event type: ${unknown.join(', ')}`;
    errors.push({ code: 'unknown_event_type', detail, param });
  }
  return { types, errors };
}
