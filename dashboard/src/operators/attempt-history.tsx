import { useRepeat, useQuery } from '../api/use-query.js';
import { Card } from '../components/card.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Instant } from '../components/instant.js';
import { attemptsDocument, type deadLetterQuery } from '../generated/operator-documents.js';
import { fill } from '../texts/text.js';
import { answerOf } from '../pages/deliveries/answer-words.js';
import { operatorText } from './texts.js';

const texts = operatorText.deadLetter;
const everyMs = 2_000;
const badges = { success: 'badge-good', failed: 'badge-warn', abandoned: 'badge-bad' } as const;

interface AttemptHistoryProps {
  readonly letter: deadLetterQuery['deadLetter'];
  /** Whether further attempts are expected. */
  readonly follow: boolean;
}

/** The attempts of its event at its endpoint that ended, newest first. */
export function AttemptHistory({ letter, follow }: AttemptHistoryProps) {
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
