import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { Instant } from '../../components/instant.js';
import { showToast } from '../../components/toast.js';
import {
  endPortalSessionDocument,
  endPortalSessionsDocument,
  portalSessionsDocument,
  type portalSessionsQuery,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { RecordRow } from '../account/record-row.js';
import { SessionRow } from '../account/session-row.js';
import '../account/account.css';

/** The browsers in which the portal is open, and the links that can still open it. */
export function SessionList() {
  const { data, error, reload } = useQuery(portalSessionsDocument, {});
  const texts = text.portalSettings;
  const sessions = data?.portalSessions ?? [];
  const links = data?.portalLinks ?? [];
  const endingAll = useAction(async () => {
    const { ended } = await execute(endPortalSessionsDocument, {});
    refresh();
    showToast(fill(texts.endedAll, { count: ended }));
  });
  const failed = error ?? endingAll.error;
  return (
    <>
      <Card
        title={texts.sessions}
        actions={
          sessions.length + links.length > 1 && (
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
      <Card title={texts.links}>
        {data && links.length === 0 && <p class="soft">{texts.linksEmpty}</p>}
        <ul class="records">
          {links.map((link) => (
            <LinkRow key={link.id} {...link} />
          ))}
        </ul>
      </Card>
    </>
  );
}

type UnusedLink = portalSessionsQuery['portalLinks'][number];

/** One unused link: what it opens, who made it, and a button that revokes it. */
function LinkRow({ id, role, makerId, createdAt, expiresAt }: UnusedLink) {
  const texts = text.portalSettings;
  const revoking = useAction(async () => {
    await execute(endPortalSessionDocument, { id });
    refresh();
    showToast(texts.revoked);
  });
  return (
    <RecordRow id={id}>
      <div class="record-main">
        <p class="row">
          <strong>{id}</strong>
          <span class="badge">{text.shell.roles[role]}</span>
        </p>
        <p class="soft small">
          {makerId === null ? texts.madeByOperator : fill(texts.madeBy, { member: makerId })}
        </p>
        <dl class="record-facts soft small">
          <div>
            <dt>{texts.made}</dt>
            <dd>
              <Instant at={createdAt} style="relative" />
            </dd>
          </div>
          <div>
            <dt>{texts.usableUntil}</dt>
            <dd>
              <Instant at={expiresAt} style="relative" />
            </dd>
          </div>
        </dl>
        {revoking.error && <ErrorNotice error={revoking.error} />}
      </div>
      <Button
        small
        label={fill(texts.revokeOf, { link: id })}
        busy={revoking.running}
        onClick={() => void revoking.run()}
      >
        {texts.revoke}
      </Button>
    </RecordRow>
  );
}
