import { execute } from '../../api/execute.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { showToast } from '../../components/toast.js';
import {
  endPortalSessionDocument,
  endPortalSessionsDocument,
  portalSessionsDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { SessionRow } from '../account/session-row.js';
import '../account/account.css';

/** The browsers in which the portal is open. */
export function SessionList() {
  const { data, error, reload } = useQuery(portalSessionsDocument, {});
  const texts = text.portalSettings;
  const sessions = data?.portalSessions ?? [];
  const endingAll = useAction(async () => {
    const { ended } = await execute(endPortalSessionsDocument, {});
    refresh();
    showToast(fill(texts.endedAll, { count: ended }));
  });
  const failed = error ?? endingAll.error;
  return (
    <Card
      title={texts.sessions}
      actions={
        sessions.length > 1 && (
          <Button small busy={endingAll.running} onClick={() => void endingAll.run()}>
            {texts.endAll}
          </Button>
        )
      }
    >
      {failed && <ErrorNotice error={failed} retry={reload} />}
      {data && sessions.length === 0 && <p class="soft">{texts.sessionsEmpty}</p>}
      <ul class="records">
        {sessions.map(({ id, linkId, role, userAgent, createdAt, lastUsedAt }) => (
          <SessionRow
            key={id}
            id={id}
            userAgent={userAgent}
            badge={<span class="badge">{text.shell.roles[role]}</span>}
            note={fill(texts.byLink, { link: linkId })}
            times={[
              [texts.began, createdAt],
              [texts.used, lastUsedAt],
            ]}
            texts={texts}
            end={() => execute(endPortalSessionDocument, { id })}
          />
        ))}
      </ul>
    </Card>
  );
}
