import { execute } from '../../api/execute.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Instant } from '../../components/instant.js';
import { showToast } from '../../components/toast.js';
import {
  endPortalSessionDocument,
  endPortalSessionsDocument,
  portalSessionsDocument,
  type portalSessionsQuery,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { browserName } from '../account/user-agent.js';
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
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  );
}

type Session = portalSessionsQuery['portalSessions'][number];

function SessionRow({ session }: { readonly session: Session }) {
  const { id, linkId, role, userAgent, createdAt, lastUsedAt } = session;
  const texts = text.portalSettings;
  const browser = browserName(userAgent);
  const ending = useAction(async () => {
    await execute(endPortalSessionDocument, { id });
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
          <span class="badge">{text.shell.roles[role]}</span>
        </p>
        <p class="soft small">{fill(texts.byLink, { link: linkId })}</p>
        <dl class="record-facts soft small">
          {(
            [
              [texts.began, createdAt],
              [texts.used, lastUsedAt],
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
      <Button
        small
        label={fill(texts.endOf, { browser })}
        busy={ending.running}
        onClick={() => void ending.run()}
      >
        {texts.end}
      </Button>
    </li>
  );
}
