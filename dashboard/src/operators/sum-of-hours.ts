import type { accountQuery } from '../generated/operator-documents.js';
import type { Status } from './status-rules.js';

/** Adds hours up. The first hour begins before `since`. */
export function sumOf(
  hours: accountQuery['statistics'],
  since: string,
): NonNullable<Status['outcomes']> {
  const total = { success: 0, failed: 0, abandoned: 0 };
  for (const { success, failed, abandoned } of hours) {
    total.success += success;
    total.failed += failed;
    total.abandoned += abandoned;
  }
  return { ...total, since: hours[0]?.startsAt ?? since, complete: true };
}
