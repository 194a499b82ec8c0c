import type { EndpointState } from '../../generated/documents.js';
import { text } from '../../texts/text.js';

const kinds: Readonly<Record<EndpointState, string>> = {
  healthy: 'badge-good',
  failing: 'badge-warn',
  disabled: 'badge-bad',
  inactive: '',
};

/** The health of an endpoint: a coloured dot and its name. */
export function StateBadge({ state }: { readonly state: EndpointState }) {
  return <span class={`badge ${kinds[state]}`}>{text.endpoints.states[state]}</span>;
}

/** A placeholder for a badge that is loading. */
export function WaitingBadge() {
  return (
    <span class="badge badge-waiting" aria-hidden="true">
      …
    </span>
  );
}
