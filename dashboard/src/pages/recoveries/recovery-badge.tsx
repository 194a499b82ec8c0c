import type { RecoveryStatus } from '../../generated/documents.js';
import { text } from '../../texts/text.js';

const kinds: Readonly<Record<RecoveryStatus, string>> = {
  running: 'badge-good',
  paused: 'badge-warn',
  completed: '',
  cancelled: '',
};

/** The state of a recovery: a coloured dot and its name. */
export function RecoveryBadge({ status }: { readonly status: RecoveryStatus }) {
  return <span class={`badge ${kinds[status]}`}>{text.recoveries.statuses[status]}</span>;
}
