import { execute } from '../../api/execute.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Instant } from '../../components/instant.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  endOtherSessionsDocument,
  endSessionDocument,
  sessionsDocument,
  type sessionsQuery,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { browserName } from './user-agent.js';
import './account.css';

/** The browsers in which the member is signed in. */
export function SessionsPage() {
  const { data, error, reload } = useQuery(sessionsDocument, {});
  const sessions = data?.sessions ?? [];
  const texts = text.sessions;
  const endingOthers = useAction(async () => {
    const { ended } = await execute(endOtherSessionsDocument, {});
    refresh();
    showToast(fill(texts.endedOthers, { count: ended }));
  });
  const failed = error ?? endingOthers.error;
  return (
    <>
      <PageHeader
        title={texts.title}
        lead={texts.lead}
        actions={
          sessions.length > 1 ? (
            <Button busy={endingOthers.running} onClick={() => void endingOthers.run()}>
              {texts.endOthers}
            </Button>
          ) : undefined
        }
      />
      {failed && <ErrorNotice error={failed} retry={reload} />}
      <ul class="card records" aria-busy={!data}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </>
  );
}

function SessionRow({ session }: { readonly session: sessionsQuery['sessions'][number] }) {
  const { id, userAgent, createdAt, lastUsedAt, expiresAt, current } = session;
  const texts = text.sessions;
  const browser = browserName(userAgent);
  const ending = useAction(async () => {
    await execute(endSessionDocument, { id });
    refresh();
    showToast(texts.ended);
  });
  return (
    <li class="record">
      <div class="record-main">
        <p class="row">
          <strong>
            <DataText value={browser} />
          </strong>
          {current && <span class="badge badge-good">{texts.current}</span>}
        </p>
        <dl class="record-facts soft small">
          {(
            [
              [texts.began, createdAt],
              [texts.used, lastUsedAt],
              [texts.ends, expiresAt],
            ] as const
          ).map(([name, at]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Instant at={at} style="relative" />
              </dd>
            </div>
          ))}
        </dl>
        {ending.error && <ErrorNotice error={ending.error} />}
      </div>
      {!current && (
        <Button
          small
          label={fill(texts.endOf, { browser })}
          busy={ending.running}
          onClick={() => void ending.run()}
        >
          {texts.end}
        </Button>
      )}
    </li>
  );
}
