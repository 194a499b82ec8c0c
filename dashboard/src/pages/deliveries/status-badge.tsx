import type { DeliveryStatus } from '../../generated/documents.js';
import { text } from '../../texts/text.js';

const kinds: Readonly<Record<DeliveryStatus, string>> = {
  success: 'badge-good',
  failed: 'badge-warn',
  abandoned: 'badge-bad',
};

/** The outcome of an attempt: a dot with its word. */
export function StatusBadge({ status }: { readonly status: DeliveryStatus }) {
  return (
    <span class={`badge ${kinds[status]}`} title={text.deliveries.statusHints[status]}>
      {text.deliveries.statuses[status]}
    </span>
  );
}
