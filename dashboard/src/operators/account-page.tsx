import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { useRepeat, useQuery } from '../api/use-query.js';
import { Card } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Fact, Facts } from '../components/facts.js';
import { formatInstant } from '../components/instant-format.js';
import { Notice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { accountDocument, type accountQuery } from '../generated/operator-documents.js';
import { formatNumber, formatWait } from '../texts/format.js';
import { fill } from '../texts/text.js';
import { AccountEndpoint, AccountEndpoints } from './account-endpoints.js';
import { AttemptsCard } from './attempts-card.js';
import { paths } from './paths.js';
import { operatorText } from './texts.js';
import { sumOf } from './sum-of-hours.js';

const texts = operatorText.account;
const everyMs = 10_000;
const dayMs = 86_400_000;

/** One account: what it has, how far it lags, and its endpoints. */
export function AccountPage() {
  const id = useRoute().params['id'] ?? '';
  const endpoint = useLocation().query['endpoint'];
  // Another time would make another range, and another request, at each change of the page.
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
      {data && <AttemptsCard title={texts.attempts} outcomes={sumOf(data.statistics, since)} />}
      <AccountEndpoints account={id} />
      {/* Only for an account that exists: the id of a URL could hold more than a command should. */}
      {data && (
        <Card title={operatorText.account.members}>
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
