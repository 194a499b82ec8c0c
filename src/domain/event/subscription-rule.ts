import type { Issue } from '../errors.js';
import { storageProblem } from '../text-issues.js';

/** An event type of the catalogue, as {@link checkSubscription} needs it. */
export interface CatalogueEntry {
  readonly id: string;
  readonly acceptsNewSubscriptions: boolean;
  /** False when the type was removed from the catalogue. Existing subscriptions keep it. */
  readonly listed: boolean;
}

/** What an endpoint will subscribe to. `types` is valid only if `errors` is empty. */
export interface Subscription {
  readonly types: readonly string[];
  readonly errors: readonly Issue[];
}

const param = 'event_types';

/**
 * Validates the event types that an endpoint asks for:
 * - it may keep each type that it has;
 * - a type that it adds must be listed and accept new subscriptions.
 * Removes duplicates and keeps the order of `wanted`.
 * @param current what the endpoint subscribes to; empty for a new one
 * @param catalogue the catalogue's entries, at least for the types in `wanted` that are added
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
