import { useLocation } from 'preact-iso';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  endOtherSessionsDocument,
  endSessionDocument,
  sessionsDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { MissingRecord, SessionRow } from './records.js';
import './account.css';

/** The browsers in which the member is signed in. */
export function SessionsPage() {
  const { find } = useLocation().query;
  const { data, error, loading, reload } = useQuery(sessionsDocument, {});
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
          data ? (
            <Button busy={endingOthers.running} onClick={() => void endingOthers.run()}>
              {texts.endOthers}
            </Button>
          ) : undefined
        }
      />
      {failed && <ErrorNotice error={failed} retry={reload} />}
      <MissingRecord
        wanted={find}
        records={loading ? undefined : data?.sessions}
        detail={texts.missing}
      />
      <ul class="card records" aria-busy={!data}>
        {sessions.map(({ id, userAgent, createdAt, lastUsedAt, expiresAt, current }) => (
          <SessionRow
            key={id}
            id={id}
            userAgent={userAgent}
            badge={current && <span class="badge badge-good">{texts.current}</span>}
            times={[
              [texts.began, createdAt],
              [texts.used, lastUsedAt],
              [texts.ends, expiresAt],
            ]}
            texts={texts}
            end={current ? undefined : () => execute(endSessionDocument, { id })}
          />
        ))}
      </ul>
    </>
  );
}
