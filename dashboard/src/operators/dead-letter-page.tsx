import { useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useQuery } from '../api/use-query.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { DataText } from '../components/data-text.js';
import { EmptyState } from '../components/empty-state.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Fact, Facts } from '../components/facts.js';
import { Instant } from '../components/instant.js';
import { Notice } from '../components/notice.js';
import { PageHeader } from '../components/page-header.js';
import { deadLetterDocument, type deadLetterQuery } from '../generated/operator-documents.js';
import { AttemptHistory } from './attempt-history.js';
import { endpointPath, paths } from './paths.js';
import { ReleaseDialog } from './release-dialog.js';
import { operatorText } from './texts.js';

type DeadLetter = deadLetterQuery['deadLetter'];

const texts = operatorText.deadLetter;

/** One dead letter. It stays shown after its release, with the attempts that follow. */
export function DeadLetterPage() {
  const id = useRoute().params['id'] ?? '';
  return <View key={id} id={id} />;
}

function View({ id }: { readonly id: string }) {
  const [released, setReleased] = useState(false);
  const shown = useRef<DeadLetter | undefined>(undefined);
  const { data, error, reload } = useQuery(released ? undefined : deadLetterDocument, { id });
  shown.current = data?.deadLetter ?? shown.current;
  const gone = error?.code === 'not_found' && shown.current === undefined;
  const [asking, setAsking] = useState(false);
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
