import { Fact, Facts } from '../../components/card.js';
import { Instant } from '../../components/instant.js';
import type { endpointHealthQuery, EndpointState } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';

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

type Health = endpointHealthQuery['health'];

/** The health of an endpoint, in numbers. */
export function HealthFacts({ health }: { readonly health: Health | undefined }) {
  return (
    <Facts>
      <Fact name={text.endpoints.lastSuccess}>
        <When at={health?.lastSuccessAt} known={health !== undefined} />
      </Fact>
      <Fact name={text.endpoints.lastFailure}>
        <When at={health?.lastFailureAt} known={health !== undefined} />
      </Fact>
      <Fact name={text.endpoints.waiting}>{health ? <Waiting health={health} /> : '…'}</Fact>
      {health?.failingSince != null && (
        <Fact name={text.endpoints.failingSince}>
          <Instant at={health.failingSince} style="relative" />
          <div class="soft small">
            {fill(text.endpoints.failedAttempts, { count: health.failureCount })}
          </div>
        </Fact>
      )}
      {health?.disablesAt != null && (
        <Fact name={text.endpoints.disablesAt}>
          <Instant at={health.disablesAt} />
        </Fact>
      )}
    </Facts>
  );
}

interface WhenProps {
  readonly at: string | null | undefined;
  readonly known: boolean;
}

function When({ at, known }: WhenProps) {
  if (at != null) return <Instant at={at} style="relative" />;
  return <span class="soft">{known ? text.common.never : '…'}</span>;
}

/** How many deliveries to an endpoint are pending, and since when. */
export function Waiting({ health }: { readonly health: Health }) {
  const { pendingCount, pendingCountIsComplete, oldestPendingAt } = health;
  if (pendingCount === 0) return <span class="soft">{text.common.none}</span>;

  const template = pendingCountIsComplete
    ? text.endpoints.waitingCount
    : text.endpoints.waitingMore;
  return (
    <>
      {fill(template, { count: pendingCount })}
      {oldestPendingAt !== null && (
        <div class="soft small">
          {text.endpoints.waitingSince} <Instant at={oldestPendingAt} style="relative" />
        </div>
      )}
    </>
  );
}
