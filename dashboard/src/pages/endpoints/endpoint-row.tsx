import { base } from '../../api/base.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import type { endpointsQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { StateBadge } from './state-badge.js';

type Endpoint = endpointsQuery['endpoints']['data'][number];

/** One endpoint of the list, with its health. */
export function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, description, eventTypes, disabledReason, active, summary } = endpoint;
  return (
    <li class="endpoint">
      <div class="endpoint-name">
        <a class="mono" href={`${base}/endpoints/${id}`}>
          <DataText value={url} />
        </a>
        {description !== null && (
          <p class="soft small">
            <DataText value={description} />
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
          <dd>{summary && <StateBadge state={summary.state} />}</dd>
        </div>
        <div>
          <dt class="soft">{text.endpoints.lastSuccess}</dt>
          <dd>
            {summary?.lastSuccessAt ? (
              <Instant at={summary.lastSuccessAt} style="relative" />
            ) : (
              <span class="soft">{text.common.never}</span>
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
