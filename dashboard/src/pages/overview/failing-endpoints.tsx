import { base } from '../../api/base.js';
import { useQuery } from '../../api/use-query.js';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { deliveriesDocument, endpointHealthDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { pathOfList, type Range } from '../deliveries/delivery-filter.js';
import { Waiting } from '../endpoints/health-facts.js';
import { hostAndPath } from '../endpoints/host.js';
import { StateBadge, WaitingBadge } from '../endpoints/state-badge.js';
import { type FailingEndpoint, failingEndpoints } from './statistics.js';

const maxShown = 5;

interface FailingEndpointsProps {
  readonly since: string;
  readonly range: Range;
}

/** The endpoints with the most failed attempts, and their health now. */
export function FailingEndpoints({ since, range }: FailingEndpointsProps) {
  const failed = useQuery(deliveriesDocument, { status: 'failed', since }).data;
  const abandoned = useQuery(deliveriesDocument, { status: 'abandoned', since }).data;
  const texts = text.overview;
  const loaded = failed && abandoned;
  const found = failingEndpoints([
    ...(failed?.deliveries.data ?? []),
    ...(abandoned?.deliveries.data ?? []),
  ]);
  return (
    <Card title={texts.failing}>
      {loaded && found.length === 0 ? (
        <p class="soft">{texts.noFailing}</p>
      ) : (
        <>
          <ul class="failing" aria-busy={!loaded}>
            {found.slice(0, maxShown).map((endpoint) => (
              <Failing key={endpoint.id} endpoint={endpoint} range={range} />
            ))}
          </ul>
          <p class="field-hint">{texts.failingHint}</p>
        </>
      )}
    </Card>
  );
}

interface FailingProps {
  readonly endpoint: FailingEndpoint;
  readonly range: Range;
}

function Failing({ endpoint: { id, url, count, latestAt }, range }: FailingProps) {
  const health = useQuery(endpointHealthDocument, { id }).data?.health;
  const texts = text.overview;
  return (
    <li>
      <a href={`${base}/endpoints/${id}`} class="failing-name mono">
        <DataText value={hostAndPath(url)} />
      </a>
      {health ? <StateBadge state={health.state} /> : <WaitingBadge />}
      <span class="small">
        {fill(texts.failures, { count })}, {texts.latest} <Instant at={latestAt} style="relative" />
      </span>
      {health && health.pendingCount > 0 && (
        <span class="small">
          {text.endpoints.waiting}: <Waiting health={health} />
        </span>
      )}
      <a class="small" href={pathOfList({ endpoint: id, status: 'failed', range })}>
        {texts.show}
      </a>
    </li>
  );
}
