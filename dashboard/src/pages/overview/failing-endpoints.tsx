import { base } from '../../api/base.js';
import { useQuery, useRepeat } from '../../api/use-query.js';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ErrorNotice } from '../../components/notice.js';
import { Instant } from '../../components/instant.js';
import { endpointFailuresDocument, endpointHealthDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { pathOfList, type Range } from '../deliveries/delivery-filter.js';
import { Waiting } from '../endpoints/health-facts.js';
import { hostAndPath } from '../endpoints/host.js';
import { StateBadge, WaitingBadge } from '../endpoints/state-badge.js';
import { type FailingEndpoint, failingEndpoints } from './statistics.js';

const againMs = 60_000;

interface FailingEndpointsProps {
  readonly since: string;
  readonly range: Range;
}

/** The endpoints with the most failed attempts, and their health now. */
export function FailingEndpoints({ since, range }: FailingEndpointsProps) {
  const { data, error, reload } = useQuery(endpointFailuresDocument, { since });
  useRepeat(reload, againMs, true);
  const texts = text.overview;
  const found = failingEndpoints(data?.failures ?? []);
  return (
    <Card title={texts.failing}>
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && found.length === 0 ? (
        <p class="soft">{texts.noFailing}</p>
      ) : (
        <ul class="failing" aria-busy={!data && !error}>
          {found.map((endpoint) => (
            <Failing key={endpoint.id} endpoint={endpoint} range={range} />
          ))}
        </ul>
      )}
      <p class="field-hint">{texts.failingHint}</p>
    </Card>
  );
}

interface FailingProps {
  readonly endpoint: FailingEndpoint;
  readonly range: Range;
}

function Failing({ endpoint: { id, url, count, status }, range }: FailingProps) {
  const { data, reload } = useQuery(endpointHealthDocument, { id });
  useRepeat(reload, againMs, true);
  const health = data?.health;
  const texts = text.overview;
  return (
    <li>
      <a href={`${base}/endpoints/${id}`} class="mono">
        <DataText value={hostAndPath(url)} />
      </a>
      {health ? <StateBadge state={health.state} /> : <WaitingBadge />}
      <div class="failing-counts small">
        {fill(texts.failures, { count })}
        {health?.lastFailureAt && (
          <>
            , {texts.latest} <Instant at={health.lastFailureAt} style="relative" />
          </>
        )}
        {health && health.pendingCount > 0 && (
          <div>
            {text.endpoints.waiting}: <Waiting health={health} />
          </div>
        )}
      </div>
      <a class="small" href={pathOfList({ endpoint: id, status, range })}>
        {texts.show}
      </a>
    </li>
  );
}
