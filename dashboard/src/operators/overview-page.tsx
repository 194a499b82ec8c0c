import { useRepeat, useQuery } from '../api/use-query.js';
import { Card } from '../components/card.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Notice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { serviceStatusDocument } from '../generated/operator-documents.js';
import { fill, text } from '../texts/text.js';
import { AttemptsCard } from './attempts-card.js';
import { BacklogCard } from './backlog-card.js';
import { LanesCard } from './lanes-card.js';
import { OthersCard } from './others-card.js';
import { Search } from './search.js';
import { awayDependencies, type Status } from './status-rules.js';
import { operatorText } from './texts.js';
import { WorkersCard } from './workers-card.js';

const texts = operatorText.overview;
const everyMs = 5_000;

/** All counts of the service on one page. */
export function OverviewPage() {
  const { data, error, reload } = useQuery(serviceStatusDocument, {});
  useRepeat(reload, everyMs, true);
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Search search="" />
      {error && <ErrorNotice error={error} retry={reload} />}
      {data ? (
        <Facts status={data.status} />
      ) : (
        <div class="card card-body" role="status" aria-label={text.common.loading}>
          <span class="skeleton" />
        </div>
      )}
    </>
  );
}

function Facts({ status }: { readonly status: Status }) {
  const away = awayDependencies(status);
  return (
    <>
      {away.length > 0 && (
        <Notice
          kind={status.ready ? 'warn' : 'bad'}
          title={status.ready ? texts.away : texts.notReady}
        >
          <p>{fill(texts.awayDetail, { names: away.join(', ') })}</p>
        </Notice>
      )}
      <BacklogCard backlog={status.backlog} />
      <LanesCard lanes={status.lanes} />
      <WorkersCard workers={status.workers} />
      <AttemptsCard title={texts.attempts} outcomes={status.outcomes} />
      <OthersCard status={status} />
      <Card title={texts.dependencies}>
        <ul class="badges">
          {status.dependencies.map(({ name, state }) => (
            <li key={name} class={`badge ${state === 'ok' ? 'badge-good' : 'badge-bad'}`}>
              {name}: {texts.states[state]}
            </li>
          ))}
        </ul>
        <p class="field-hint">
          {status.queueDepths
            ? fill(texts.queueDepth, {
                counts: status.queueDepths.map(({ kind, depth }) => `${kind} ${depth}`).join(', '),
              })
            : texts.queueAway}
        </p>
      </Card>
    </>
  );
}
