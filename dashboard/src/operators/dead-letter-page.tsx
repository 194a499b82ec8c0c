import { useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { execute } from '../api/request.js';
import { useAction } from '../api/use-action.js';
import { useQuery, useRepeat } from '../api/use-query.js';
import { Button } from '../components/button.js';
import { Card, EmptyState, Fact, Facts } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { ConfirmDialog } from '../components/dialog.js';
import { ErrorNotice, Notice } from '../components/notice.js';
import { Instant } from '../components/instant.js';
import { PageHeader } from '../components/page-header.js';
import {
  attemptsDocument,
  deadLetterDocument,
  type deadLetterQuery,
  releaseDeadLetterDocument,
} from '../generated/operator-documents.js';
import { fill } from '../texts/text.js';
import { answerOf } from '../pages/deliveries/answer-words.js';
import { endpointPath, paths } from './paths.js';
import { operatorText } from './texts.js';

type DeadLetter = deadLetterQuery['deadLetter'];

const texts = operatorText.deadLetter;
const everyMs = 2_000;
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
      {texts.release}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={texts.title}
        lead={
          <code>
            <DataText value={id} />
          </code>
        }
        back={{ href: paths.deadLetters, label: operatorText.deadLetters.title }}
        actions={release || undefined}
      />
      {error && !gone && <ErrorNotice error={error} retry={reload} />}
      {gone && <EmptyState title={texts.gone}>{texts.goneDetail}</EmptyState>}
      {released && <Notice kind="good" title={texts.releasing} />}
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
    <Card title={texts.facts}>
      <Facts>
        <Fact name={texts.reason}>
          <DataText value={reason} />
        </Fact>
        <Fact name={operatorText.deadLetters.since}>
          <Instant at={since} />
        </Fact>
        <Fact name={texts.type}>
          <DataText value={eventType} />
        </Fact>
        <Fact name={texts.account}>
          <a class="mono" href={`${paths.accounts}/${accountId}`}>
            {accountId}
          </a>
        </Fact>
        <Fact name={texts.endpoint}>
          <a class="mono" href={endpointPath(accountId, endpointId)}>
            {endpointId}
          </a>
        </Fact>
        <Fact name={texts.event}>
          <a class="mono" href={`${paths.events}/${eventId}`}>
            {eventId}
          </a>
        </Fact>
        {replayedFrom !== null && (
          <Fact name={texts.replayOf}>
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
  useRepeat(reload, everyMs, follow);

  const attempts = data?.attempts.data ?? [];
  return (
    <Card title={texts.history}>
      <p class="field-hint">{texts.historyHint}</p>
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && attempts.length === 0 && <p>{texts.noHistory}</p>}
      {attempts.length > 0 && (
        <ol class="rows">
          {attempts.map(({ id, status, attempt, responseStatus, failureReason, createdAt }) => (
            <li key={id}>
              <div class="row">
                <span class={`badge ${badges[status]}`}>{texts.statuses[status]}</span>
                <span>{fill(operatorText.deadLetters.attempt, { attempt })}</span>
                <span class="soft">
                  {answerOf({ responseStatus, failureReason }) ?? texts.noAnswer}
                </span>
              </div>
              <span class="soft small">
                <Instant at={createdAt} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {data?.attempts.page.hasMore && <p class="field-hint">{texts.more}</p>}
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
      title={texts.releaseTitle}
      action={texts.release}
      busy={releasing.running}
      error={releasing.error}
      onConfirm={() => void releasing.run()}
      onClose={onClose}
    >
      <p>{texts.releaseDetail}</p>
    </ConfirmDialog>
  );
}
