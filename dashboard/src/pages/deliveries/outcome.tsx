import type { DeliveryStatus } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import type { ListedDelivery } from './delivery-list.js';

const kinds: Readonly<Record<DeliveryStatus, string>> = {
  success: 'badge-good',
  failed: 'badge-warn',
  abandoned: 'badge-bad',
};

/** The outcome of an attempt: a coloured dot and its name. */
export function StatusBadge({ status }: { readonly status: DeliveryStatus }) {
  return (
    <span class={`badge ${kinds[status]}`} title={text.deliveries.statusHints[status]}>
      {text.deliveries.statuses[status]}
    </span>
  );
}

/** The answer of the receiver with its duration, such as "503 · 120 ms". */
export function AnswerText({
  delivery,
}: {
  readonly delivery: Pick<ListedDelivery, 'responseStatus' | 'failureReason' | 'durationMs'>;
}) {
  const { durationMs } = delivery;
  const time = durationMs === null ? '' : fill(text.common.ms, { ms: durationMs });
  return <>{[answerOf(delivery), time].filter(Boolean).join(' · ')}</>;
}

type Answer = Pick<ListedDelivery, 'responseStatus' | 'failureReason'>;

const failures: Readonly<Record<string, string>> = text.deliveries.failures;

/** The status that the receiver answered, or why there was no answer. Undefined while the attempt runs. */
export function answerOf({ responseStatus, failureReason }: Answer): string | undefined {
  if (responseStatus != null) return String(responseStatus);
  if (failureReason == null) return undefined;
  return failures[failureReason] ?? failureReason.replaceAll('_', ' ');
}
