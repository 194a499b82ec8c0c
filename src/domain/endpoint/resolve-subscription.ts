import {
  lockCatalogueEntries,
  checkSubscription,
  type Subscription,
} from '../event-type/event-types.js';
import type { Tx } from '../tx.js';

/** Looks up only added types: the endpoint may keep a type that is no longer offered. */
export async function resolveSubscription(
  tx: Tx,
  current: readonly string[],
  wanted: readonly string[],
): Promise<Subscription> {
  const added = [...new Set(wanted)].filter((type) => !current.includes(type));
  return checkSubscription(current, wanted, await lockCatalogueEntries(tx, added));
}
