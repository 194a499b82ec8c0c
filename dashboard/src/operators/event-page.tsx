import { useRoute } from 'preact-iso';
import { useQuery, useRepeat } from '../api/use-query.js';
import { Card, EmptyState, Fact, Facts, LoadingCard } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { Instant } from '../components/instant.js';
import { ErrorNotice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { eventTrailDocument, type eventTrailQuery } from '../generated/operator-documents.js';
import { answerOf } from '../pages/deliveries/outcome.js';
import { fill } from '../texts/text.js';
import { endpointPath, paths, searchPath } from './paths.js';
import { operatorText } from './texts.js';

type Trail = eventTrailQuery['trail'];
type TrailEndpoint = Trail['endpoints'][number];

const texts = operatorText.event;
const everyMs = 5_000;
const badges: Readonly<Partial<Record<TrailEndpoint['state'], string>>> = {
  delivered: 'badge-good',
  sending: 'badge-warn',
  due: 'badge-warn',
  waiting: 'badge-warn',
  waiting_for_turn: 'badge-warn',
  dead_letter: 'badge-bad',
  given_up: 'badge-bad',
};

/** One event of any account: which endpoints got it, which wait for it, and why others did not get it. */
export function EventPage() {
  const id = useRoute().params['id'] ?? '';
  const { data, error, reload } = useQuery(eventTrailDocument, { id });
  useRepeat(reload, everyMs, true);

  const gone = error?.code === 'not_found';
  return (
    <>
      <PageHeader
        title={texts.title}
        lead={
          <code>
            <DataText value={id} />
          </code>
        }
        back={{ href: paths.accounts, label: operatorText.accounts.title }}
      />
      {error && !gone && <ErrorNotice error={error} retry={reload} />}
      {gone && <EmptyState title={texts.gone}>{texts.goneDetail}</EmptyState>}
      {!data && !error && <LoadingCard />}
      {data && !gone && <About trail={data.trail} />}
      {data && !gone && <Endpoints trail={data.trail} />}
    </>
  );
}

function About({ trail }: { readonly trail: Trail }) {
  const { accountId, type, version, subject, test, occurredAt } = trail;
  const about = /^\w+:(\w+_\w+)$/.exec(subject)?.[1];
  return (
    <Card title={texts.facts}>
      <Facts>
        <Fact name={texts.type}>
          <DataText value={`${type} ${version}`} />
        </Fact>
        <Fact name={texts.occurred}>
          <Instant at={occurredAt} />
        </Fact>
        <Fact name={texts.subject}>
          {about === undefined ? (
            <DataText value={subject} />
          ) : (
            <a class="mono" href={searchPath(about)}>
              <DataText value={subject} />
            </a>
          )}
        </Fact>
        <Fact name={texts.account}>
          <a class="mono" href={`${paths.accounts}/${accountId}`}>
            {accountId}
          </a>
        </Fact>
        {test && <Fact name={texts.test}>{texts.isTest}</Fact>}
      </Facts>
    </Card>
  );
}

function Endpoints({ trail }: { readonly trail: Trail }) {
  const { accountId, endpoints, complete } = trail;
  return (
    <Card title={texts.endpoints}>
      {endpoints.length === 0 && <p>{operatorText.account.noEndpoints}</p>}
      {endpoints.length > 0 && (
        <ul class="rows">
          {endpoints.map((endpoint) => (
            <EndpointRow key={endpoint.endpointId} account={accountId} endpoint={endpoint} />
          ))}
        </ul>
      )}
      {!complete && <p class="field-hint">{texts.more}</p>}
      <p class="field-hint">{texts.hint}</p>
    </Card>
  );
}

interface EndpointRowProps {
  readonly account: string;
  readonly endpoint: TrailEndpoint;
}

function EndpointRow({ account, endpoint }: EndpointRowProps) {
  const { endpointId, url, endpointState, deleted, state, attempts, latest } = endpoint;
  return (
    <li>
      <div class="row-main">
        <DataText value={url} />
        {deleted ? (
          <code class="soft small">{endpointId}</code>
        ) : (
          <a class="mono small" href={endpointPath(account, endpointId)}>
            {endpointId}
          </a>
        )}
        <span class="soft small">
          {deleted ? texts.deleted : operatorText.account.states[endpointState]}
        </span>
      </div>
      <div class="row-main">
        <div class="row">
          <State endpoint={endpoint} />
          {attempts > 0 && <span class="small">{fill(texts.attempts, { count: attempts })}</span>}
        </div>
        {latest && <Latest attempt={latest} />}
        {state !== 'delivered' && <Next endpoint={endpoint} />}
      </div>
    </li>
  );
}

function State({ endpoint }: { readonly endpoint: TrailEndpoint }) {
  const { state, pendingDeliveryId } = endpoint;
  const badge = <span class={`badge ${badges[state] ?? ''}`}>{texts.states[state]}</span>;
  return state === 'dead_letter' ? (
    <a href={`${paths.deadLetters}/${pendingDeliveryId ?? ''}`}>{badge}</a>
  ) : (
    badge
  );
}

function Latest({ attempt }: { readonly attempt: NonNullable<TrailEndpoint['latest']> }) {
  const { status, responseStatus, failureReason, createdAt } = attempt;
  return (
    <span class="small">
      {texts.latest} {operatorText.deadLetter.statuses[status]},{' '}
      {answerOf({ responseStatus, failureReason }) ?? operatorText.deadLetter.noAnswer}
      {' · '}
      <span class="soft">
        <Instant at={createdAt} />
      </span>
    </span>
  );
}

function Next({ endpoint: { nextAttempt, dueAt } }: { readonly endpoint: TrailEndpoint }) {
  if (nextAttempt === null || dueAt === null) return null;
  return (
    <span class="small">
      {fill(texts.next, { attempt: nextAttempt })}{' '}
      <span class="soft">
        <Instant at={dueAt} />
      </span>
    </span>
  );
}
