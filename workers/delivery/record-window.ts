import type { EndedAttempt } from '../../src/domain/delivery/rules/attempt.js';
import { isAwaitedReplay } from '../../src/domain/delivery/sql/notify-replays.js';

/** Only its lease waits for most results. A longer window means more duplicates after a crash. */
const windowMs = 10;

/** Returns how long to gather more results, in milliseconds: 0 if a client waits for one. */
export function recordWindow(results: readonly { readonly ended: EndedAttempt }[]): number {
  return results.some(({ ended }) => isAwaitedReplay(ended)) ? 0 : windowMs;
}
