import { useState } from 'preact/hooks';
import { useQuery } from '../api/use-query.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Instant } from '../components/instant.js';
import {
  accountEndpointsDocument,
  type accountEndpointsQuery,
} from '../generated/operator-documents.js';
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

function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, maxPerSecond, summary } = endpoint;
  return (
    <li>
      <div class="row-main">
        <DataText value={url} />
        <code class="soft small">{id}</code>
        {maxPerSecond !== null && (
          <span class="small">{fill(texts.rate, { count: maxPerSecond })}</span>
        )}
      </div>
      <dl class="row-facts small">
        <div>
          <dt class="visually-hidden">{texts.endpointsTitle}</dt>
          <dd>
            {summary && (
              <span class={`badge ${badges[summary.state]}`}>{texts.states[summary.state]}</span>
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
