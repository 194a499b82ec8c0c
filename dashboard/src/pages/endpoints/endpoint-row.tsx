import { useQuery } from '../../api/use-query.js';
import { Instant } from '../../components/instant.js';
import { endpointHealthDocument, type endpointsQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { StateBadge, WaitingBadge } from './state-badge.js';

type Endpoint = endpointsQuery['endpoints']['data'][number];

/** One endpoint of the list, with its health. */
export function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, description, eventTypes, disabledReason, active } = endpoint;
  const { data } = useQuery(endpointHealthDocument, { id });
  const health = data?.health;
  return (
    <li class="endpoint">
      <div class="endpoint-name">
        <a class="mono" href={`/dashboard/endpoints/${id}`}>
          <bdi>{url}</bdi>
        </a>
        {description !== null && (
          <p class="soft small">
            <bdi>{description}</bdi>
          </p>
        )}
        {!active && (
          <p class="small">
            {disabledReason
              ? text.endpoints.reasons[disabledReason]
              : text.endpoints.inactiveReason}
          </p>
        )}
      </div>
      <dl class="endpoint-facts small">
        <div>
          <dt class="visually-hidden">{text.endpoints.health}</dt>
          <dd>{health ? <StateBadge state={health.state} /> : <WaitingBadge />}</dd>
        </div>
        <div>
          <dt class="soft">{text.endpoints.lastSuccess}</dt>
          <dd>
            {health?.lastSuccessAt ? (
              <Instant at={health.lastSuccessAt} style="relative" />
            ) : (
              <span class="soft">{health ? text.common.never : '…'}</span>
            )}
          </dd>
        </div>
        <div>
          <dt class="visually-hidden">{text.endpoints.eventTypes}</dt>
          <dd class="soft">{fill(text.endpoints.types, { count: eventTypes.length })}</dd>
        </div>
      </dl>
    </li>
  );
}
