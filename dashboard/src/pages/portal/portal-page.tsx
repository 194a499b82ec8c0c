import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { SelectField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  createPortalLinkDocument,
  endPortalSessionDocument,
  endPortalSessionsDocument,
  portalSessionsDocument,
  type portalSessionsQuery,
  portalSettingsDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { RecordRow, SessionRow } from '../account/records.js';
import { SettingsForm } from './settings-form.js';
import '../account/account.css';
import './portal.css';

const texts = text.portalSettings;

/** The settings, links and sessions of the account's portal. */
export function PortalPage() {
  const { data, error, reload } = useQuery(portalSettingsDocument, {});
  const [creating, setCreating] = useState(false);
  const create = data && <Button onClick={() => setCreating(true)}>{texts.createLink}</Button>;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} actions={create} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {data && <SettingsForm settings={data.portalSettings} />}
      {data && <SessionList />}
      {creating && <CreateLinkDialog onClose={() => setCreating(false)} />}
    </>
  );
}

const roles = ['viewer', 'developer'] as const;
const ttls = [900, 3_600, 86_400, 604_800] as const;

/** Creates a link, then shows it once. */
export function CreateLinkDialog({ onClose }: { readonly onClose: () => void }) {
  const [role, setRole] = useState<(typeof roles)[number]>('viewer');
  const [ttlSeconds, setTtl] = useState<(typeof ttls)[number]>(900);
  const [url, setUrl] = useState<string>();
  const creating = useAction(async () => {
    const { created } = await execute(createPortalLinkDocument, { input: { role, ttlSeconds } });
    refresh();
    setUrl(created.url);
  });

  if (url !== undefined) {
    return (
      <Dialog key="created" sticky title={texts.newLink} onClose={onClose}>
        <div class="stack-s">
          <div class="copyable copyable-secret">
            <code>{url}</code>
            <CopyButton value={url} label={texts.linkLabel} />
          </div>
          <p class="field-hint">{texts.linkOnce}</p>
        </div>
        <div class="dialog-actions">
          <Button kind="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </div>
      </Dialog>
    );
  }

  return (
    <ConfirmDialog
      title={texts.createLinkTitle}
      action={texts.createLink}
      busy={creating.running}
      error={creating.error}
      onConfirm={() => void creating.run()}
      onClose={onClose}
    >
      <p>{texts.createLinkDetail}</p>
      <SelectField
        label={texts.role}
        value={role}
        options={roles.map((choice) => [choice, text.shell.roles[choice]])}
        onChange={(value) => setRole(roles.find((choice) => choice === value) ?? 'viewer')}
      />
      <p class="field-hint">{texts.roleHints[role]}</p>
      <SelectField
        label={texts.ttl}
        value={String(ttlSeconds)}
        options={ttls.map((choice) => [String(choice), texts.ttls[choice]])}
        onChange={(value) => setTtl(ttls.find((choice) => String(choice) === value) ?? 900)}
      />
    </ConfirmDialog>
  );
}

/** The open portal sessions, and the links that can still open one. */
export function SessionList() {
  const { data, error, reload } = useQuery(portalSessionsDocument, {});
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

/** One unused link: its role, its creator, and a button that revokes it. */
function LinkRow({ id, role, makerId, createdAt, expiresAt }: UnusedLink) {
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
