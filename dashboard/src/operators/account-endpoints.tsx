import { useState } from 'preact/hooks';
import { useQuery } from '../api/use-query.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { EmptyState } from '../components/empty-state.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Instant } from '../components/instant.js';
import {
  accountEndpointDocument,
  accountEndpointsDocument,
  type accountEndpointsQuery,
} from '../generated/operator-documents.js';
import { formatNumber } from '../texts/format.js';
import { fill, text } from '../texts/text.js';
import { operatorText } from './texts.js';

type Endpoint = accountEndpointsQuery['endpoints']['data'][number];

const texts = operatorText.account;
const badges: Readonly<Record<NonNullable<Endpoint['summary']>['state'], string>> = {
  healthy: 'badge-good',
  failing: 'badge-warn',
  disabled: 'badge-bad',
  inactive: '',
};

/** The endpoints of an account, newest first, a page at a time. */
export function AccountEndpoints({ account }: { readonly account: string }) {
  const [cursor, setCursor] = useState<string>();
  const { data, error, reload } = useQuery(accountEndpointsDocument, {
    account,
    ...(cursor && { cursor }),
  });
  const rows = data?.endpoints.data;
  const next = data?.endpoints.page.nextCursor;
  return (
    <Card title={texts.endpointsTitle}>
      {error && <ErrorNotice error={error} retry={reload} />}
      {rows?.length === 0 && <p>{texts.noEndpoints}</p>}
      {rows && rows.length > 0 && (
        <ul class="rows">
          {rows.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      )}
      {(cursor || next) && (
        <div class="row">
          {cursor && (
            <Button small onClick={() => setCursor(undefined)}>
              {text.common.first}
            </Button>
          )}
          {next && (
            <Button small onClick={() => setCursor(next)}>
              {text.common.next}
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}

interface AccountEndpointProps {
  readonly account: string;
  readonly id: string;
}

/** The endpoint that was searched for, above all others. */
export function AccountEndpoint({ account, id }: AccountEndpointProps) {
  const { data, error, reload } = useQuery(accountEndpointDocument, { account, id });
  if (error?.code === 'not_found') {
    return <EmptyState title={texts.noEndpoint}>{texts.noEndpointDetail}</EmptyState>;
  }
  return (
    <Card title={texts.endpointTitle}>
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && (
        <ul class="rows">
          <EndpointRow endpoint={data.endpoint} />
        </ul>
      )}
    </Card>
  );
}

function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, maxPerSecond, summary, backlog } = endpoint;
  return (
    <li>
      <div class="row-main">
        <DataText value={url} />
        <code class="soft small">{id}</code>
        {maxPerSecond !== null && (
          <span class="small">{fill(texts.rate, { count: maxPerSecond })}</span>
        )}
      </div>
      <dl class="row-facts row-facts-wide small">
        <div>
          <dt class="visually-hidden">{texts.endpointsTitle}</dt>
          <dd>
            {summary && (
              <span class={`badge ${badges[summary.state]}`}>{texts.states[summary.state]}</span>
            )}
          </dd>
        </div>
        <div>
          <dt class="soft">{texts.endpointPending}</dt>
          <dd>{backlog && <Pending backlog={backlog} />}</dd>
        </div>
        <div>
          <dt class="soft">{texts.endpointOldest}</dt>
          <dd>
            {backlog?.oldestPendingAt ? (
              <Instant at={backlog.oldestPendingAt} style="relative" />
            ) : (
              '–'
            )}
          </dd>
        </div>
        <div>
          <dt class="soft">{texts.lastSuccess}</dt>
          <dd>
            <When at={summary?.lastSuccessAt} />
          </dd>
        </div>
        <div>
          <dt class="soft">{texts.lastFailure}</dt>
          <dd>
            <When at={summary?.lastFailureAt} />
          </dd>
        </div>
      </dl>
    </li>
  );
}

function When({ at }: { readonly at: string | null | undefined }) {
  return at ? <Instant at={at} style="relative" /> : <>{text.common.never}</>;
}

function Pending({ backlog }: { readonly backlog: NonNullable<Endpoint['backlog']> }) {
  const shown = formatNumber(backlog.pendingCount);
  const { atLeast } = operatorText.overview;
  return <>{backlog.pendingCountIsComplete ? shown : fill(atLeast, { count: shown })}</>;
}
