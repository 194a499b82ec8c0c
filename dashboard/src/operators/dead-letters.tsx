import { useLocation, useRoute } from 'preact-iso';
import { useRef, useState } from 'preact/hooks';
import { execute } from '../api/request.js';
import { useAction } from '../api/use-action.js';
import { useQuery, useRepeat } from '../api/use-query.js';
import { Button, ButtonLink } from '../components/button.js';
import { Card, EmptyState, Fact, Facts, LoadingCard } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { ConfirmDialog } from '../components/dialog.js';
import { Instant } from '../components/instant.js';
import { ErrorNotice, Notice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import {
  attemptsDocument,
  deadLetterDocument,
  type deadLetterQuery,
  deadLettersDocument,
  releaseDeadLetterDocument,
} from '../generated/operator-documents.js';
import { answerOf } from '../pages/deliveries/outcome.js';
import { fill } from '../texts/text.js';
import { endpointPath, paths } from './paths.js';
import { operatorText } from './texts.js';

const texts = operatorText.deadLetters;

const letterTexts = operatorText.deadLetter;

const everyMs = 10_000;

const pageSize = 100;

/** The dead letters of all accounts, oldest first. */
export function DeadLettersPage() {
  const after = useLocation().query['after'];
  const { data, error, loading, reload } = useQuery(deadLettersDocument, {
    ...(after && { after }),
  });
  useRepeat(reload, everyMs, true);

  const rows = data?.deadLetters;
  const last = rows?.length === pageSize ? rows.at(-1) : undefined;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {!rows && loading && <LoadingCard />}
      {rows && rows.length > 0 && (
        <div class="card">
          <ul class="rows">
            {rows.map(({ id, reason, eventType, attempt, accountId, since }) => (
              <li key={id}>
                <div class="row-main">
                  <a class="mono" href={`${paths.deadLetters}/${id}`}>
                    {id}
                  </a>
                  <span>
                    <DataText value={reason} />
                  </span>
                </div>
                <div class="row-main small">
                  <span>
                    <DataText value={eventType} /> · {fill(texts.attempt, { attempt })}
                  </span>
                  <span class="soft">
                    <a href={`${paths.accounts}/${accountId}`}>{accountId}</a> · {texts.since}{' '}
                    <Instant at={since} style="short" />
                  </span>
                </div>
              </li>
            ))}
          </ul>
        </div>
      )}
      {rows?.length === 0 && <EmptyState title={texts.empty}>{texts.emptyDetail}</EmptyState>}
      {(after || last) && (
        <nav class="row" aria-label={texts.title}>
          {after && <ButtonLink href={paths.deadLetters}>{texts.first}</ButtonLink>}
          {last && (
            <ButtonLink href={`${paths.deadLetters}?after=${last.id}`}>{texts.later}</ButtonLink>
          )}
        </nav>
      )}
    </>
  );
}

type DeadLetter = deadLetterQuery['deadLetter'];

const followMs = 2_000;

const badges = { success: 'badge-good', failed: 'badge-warn', abandoned: 'badge-bad' } as const;

/** One dead letter. After its release the page keeps it, and shows the attempts that follow. */
export function DeadLetterPage() {
  const id = useRoute().params['id'] ?? '';
  return <View key={id} id={id} />;
}

function View({ id }: { readonly id: string }) {
  const [released, setReleased] = useState(false);
  const [asking, setAsking] = useState(false);
  const shown = useRef<DeadLetter | undefined>(undefined);
  const { data, error, reload } = useQuery(released ? undefined : deadLetterDocument, { id });
  shown.current = data?.deadLetter ?? shown.current;

  const gone = error?.code === 'not_found' && shown.current === undefined;

  const release = !released && shown.current && !error && (
    <Button kind="primary" onClick={() => setAsking(true)}>
      {letterTexts.release}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={letterTexts.title}
        lead={
          <code>
            <DataText value={id} />
          </code>
        }
        back={{ href: paths.deadLetters, label: operatorText.deadLetters.title }}
        actions={release || undefined}
      />
      {error && !gone && <ErrorNotice error={error} retry={reload} />}
      {gone && <EmptyState title={letterTexts.gone}>{letterTexts.goneDetail}</EmptyState>}
      {released && <Notice kind="good" title={letterTexts.releasing} />}
      {shown.current && <Reason letter={shown.current} />}
      {shown.current && <AttemptHistory letter={shown.current} follow={released} />}
      {asking && (
        <ReleaseDialog
          id={id}
          onClose={() => setAsking(false)}
          onReleased={() => {
            setAsking(false);
            setReleased(true);
          }}
        />
      )}
    </>
  );
}

function Reason({ letter }: { readonly letter: DeadLetter }) {
  const { accountId, endpointId, eventId, eventType, replayedFrom, reason, since } = letter;
  return (
    <Card title={letterTexts.facts}>
      <Facts>
        <Fact name={letterTexts.reason}>
          <DataText value={reason} />
        </Fact>
        <Fact name={operatorText.deadLetters.since}>
          <Instant at={since} />
        </Fact>
        <Fact name={letterTexts.type}>
          <DataText value={eventType} />
        </Fact>
        <Fact name={letterTexts.account}>
          <a class="mono" href={`${paths.accounts}/${accountId}`}>
            {accountId}
          </a>
        </Fact>
        <Fact name={letterTexts.endpoint}>
          <a class="mono" href={endpointPath(accountId, endpointId)}>
            {endpointId}
          </a>
        </Fact>
        <Fact name={letterTexts.event}>
          <a class="mono" href={`${paths.events}/${eventId}`}>
            {eventId}
          </a>
        </Fact>
        {replayedFrom !== null && (
          <Fact name={letterTexts.replayOf}>
            <code>{replayedFrom}</code>
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

interface AttemptHistoryProps {
  readonly letter: DeadLetter;
  /** Whether further attempts are expected. */
  readonly follow: boolean;
}

/** The finished attempts of its event at its endpoint, newest first. */
function AttemptHistory({ letter, follow }: AttemptHistoryProps) {
  const { accountId: account, endpointId: endpoint, eventId: event } = letter;
  const { data, error, reload } = useQuery(attemptsDocument, { account, endpoint, event });
  useRepeat(reload, followMs, follow);

  const attempts = data?.attempts.data ?? [];
  return (
    <Card title={letterTexts.history}>
      <p class="field-hint">{letterTexts.historyHint}</p>
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && attempts.length === 0 && <p>{letterTexts.noHistory}</p>}
      {attempts.length > 0 && (
        <ol class="rows">
          {attempts.map(({ id, status, attempt, responseStatus, failureReason, createdAt }) => (
            <li key={id}>
              <div class="row">
                <span class={`badge ${badges[status]}`}>{letterTexts.statuses[status]}</span>
                <span>{fill(operatorText.deadLetters.attempt, { attempt })}</span>
                <span class="soft">
                  {answerOf({ responseStatus, failureReason }) ?? letterTexts.noAnswer}
                </span>
              </div>
              <span class="soft small">
                <Instant at={createdAt} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {data?.attempts.page.hasMore && <p class="field-hint">{letterTexts.more}</p>}
    </Card>
  );
}

interface ReleaseDialogProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onReleased: () => void;
}

/** Asks before it releases a dead letter, because an operator must remove the cause first. */
function ReleaseDialog({ id, onClose, onReleased }: ReleaseDialogProps) {
  const releasing = useAction(async () => {
    await execute(releaseDeadLetterDocument, { id });
    onReleased();
  });

  return (
    <ConfirmDialog
      title={letterTexts.releaseTitle}
      action={letterTexts.release}
      busy={releasing.running}
      error={releasing.error}
      onConfirm={() => void releasing.run()}
      onClose={onClose}
    >
      <p>{letterTexts.releaseDetail}</p>
    </ConfirmDialog>
  );
}
