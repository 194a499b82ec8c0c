import { text } from '../../texts/text.js';
import type { ListedDelivery } from './delivery-list.js';

type Answer = Pick<ListedDelivery, 'responseStatus' | 'failureReason'>;

const failures: Readonly<Record<string, string>> = text.deliveries.failures;

/** The status that the receiver answered, or why there was no answer. Undefined while the attempt runs. */
export function answerOf({ responseStatus, failureReason }: Answer): string | undefined {
  if (responseStatus != null) return String(responseStatus);
  if (failureReason == null) return undefined;
  return failures[failureReason] ?? failureReason.replaceAll('_', ' ');
}
