import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useQuery, useRepeat } from '../api/use-query.js';
import { Button } from '../components/button.js';
import { Card, EmptyState, Fact, Facts } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { Instant } from '../components/instant.js';
import { ErrorNotice, Notice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import {
  accountDocument,
  accountEndpointDocument,
  accountEndpointsDocument,
  type accountEndpointsQuery,
  type accountQuery,
} from '../generated/operator-documents.js';
import { formatInstant, formatNumber, formatWait } from '../texts/format.js';
import { fill, text } from '../texts/text.js';
import { AttemptsCard, type Status } from './overview-page.js';
import { paths } from './paths.js';
import { operatorText } from './texts.js';

type Endpoint = accountEndpointsQuery['endpoints']['data'][number];

const texts = operatorText.account;
const everyMs = 10_000;
const dayMs = 86_400_000;
const badges: Readonly<Record<NonNullable<Endpoint['summary']>['state'], string>> = {
  healthy: 'badge-good',
  failing: 'badge-warn',
  disabled: 'badge-bad',
  inactive: '',
};

/** One account: what it has, its lag, its attempts of a day, and its endpoints. */
export function AccountPage() {
  const id = useRoute().params['id'] ?? '';
  const endpoint = useLocation().query['endpoint'];

  // Kept in state: a new time at each render would start a new request.
  const [since] = useState(() => new Date(Date.now() - dayMs).toISOString());
  const { data, error, reload } = useQuery(accountDocument, { id, since });
  useRepeat(reload, everyMs, true);

  const name = data?.account.name ?? id;
  return (
    <>
      <PageHeader
        title={name}
        heading={<DataText value={name} />}
        lead={
          <code>
            <DataText value={id} />
          </code>
        }
        back={{ href: paths.accounts, label: operatorText.accounts.title }}
      />
      {error && <ErrorNotice error={error} retry={reload} />}
      {endpoint && <AccountEndpoint account={id} id={endpoint} />}
      {data && <Totals data={data} />}
      {data && (
        <AttemptsCard title={texts.attempts} outcomes={sumOfHours(data.statistics, since)} />
      )}
      <AccountEndpoints account={id} />
      {/* Only for an account that exists: the id of a URL may hold anything, and operators paste commands. */}
      {data && (
        <Card title={texts.members}>
          <p>
            {texts.letIn} <code>npm run admin -- members list --account {id}</code>{' '}
            <code>npm run admin -- dashboard-link --member &lt;id&gt;</code>
          </p>
        </Card>
      )}
    </>
  );
}

function Totals({ data: { account, totals, lag } }: { readonly data: accountQuery }) {
  const { fullSince, pending, pendingIsComplete } = totals;
  const shown = formatNumber(pending);
  const { atLeast, lag: lagName, oldest } = operatorText.overview;
  return (
    <>
      {fullSince !== null && (
        <Notice kind="bad" title={texts.full}>
          <p>
            {fill(texts.fullDetail, {
              deliveries: totals.fullDeliveries ?? 0,
              mebibytes: Math.round((totals.fullBytes ?? 0) / 1_048_576),
              time: formatInstant(Date.parse(fullSince)),
            })}
          </p>
        </Notice>
      )}
      <Card title={texts.totals}>
        <Facts>
          <Fact name={operatorText.accounts.created}>
            {formatInstant(Date.parse(account.createdAt))}
          </Fact>
          <Fact name={texts.members}>{formatNumber(totals.members)}</Fact>
          <Fact name={texts.apiKeys}>{formatNumber(totals.apiKeys)}</Fact>
          <Fact name={texts.endpoints}>{formatNumber(totals.endpoints)}</Fact>
          <Fact name={texts.pending}>
            {pendingIsComplete ? shown : fill(atLeast, { count: shown })}
          </Fact>
          <Fact name={lagName}>{formatWait(lag.oldestDueSeconds)}</Fact>
          <Fact name={oldest}>{formatWait(lag.oldestBacklogSeconds)}</Fact>
          <Fact name={texts.limit}>{fullSince === null ? texts.notFull : texts.full}</Fact>
          <Fact name={texts.traceparent}>
            {account.sendsTraceparent ? texts.sendsTraceparent : texts.noTraceparent}
          </Fact>
        </Facts>
      </Card>
    </>
  );
}

/** Adds up the attempts of these hours, of which the first may begin before `since`. */
function sumOfHours(
  hours: accountQuery['statistics'],
  since: string,
): NonNullable<Status['outcomes']> {
  const total = { success: 0, failed: 0, abandoned: 0 };
  for (const { success, failed, abandoned } of hours) {
    total.success += success;
    total.failed += failed;
    total.abandoned += abandoned;
  }
  return { ...total, since: hours[0]?.startsAt ?? since, complete: true };
}

/** The endpoints of an account, one page at a time, newest first. */
function AccountEndpoints({ account }: { readonly account: string }) {
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

/** The endpoint that the operator searched for, above all others. */
function AccountEndpoint({ account, id }: AccountEndpointProps) {
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
