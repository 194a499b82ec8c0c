import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { session } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { Secret } from '../../components/copy-button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { SelectField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  apiKeysDocument,
  type apiKeysQuery,
  createApiKeyDocument,
  type CredentialLevel,
  type PermissionLevel,
  revokeApiKeyDocument,
} from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { MissingRecord, RecordRow } from './records.js';
import './account.css';

const texts = text.keys;

type Key = apiKeysQuery['apiKeys'][number];

/** The API keys of the account, newest first. */
export function KeysPage() {
  const { find } = useLocation().query;
  const { data, error, loading, reload } = useQuery(apiKeysDocument, {});
  const [creating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Key>();
  const keys = data?.apiKeys ?? [];
  const create = data && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} actions={create} />
      {error && <ErrorNotice error={error} retry={reload} />}
      <MissingRecord
        wanted={find}
        records={loading ? undefined : data?.apiKeys}
        detail={texts.missing}
      />
      {keys.length > 0 && (
        <ul class="card records">
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoked(key)} />
          ))}
        </ul>
      )}
      {data && keys.length === 0 && (
        <EmptyState title={texts.empty}>{texts.emptyDetail}</EmptyState>
      )}
      {creating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {revoked && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

interface KeyRowProps {
  readonly apiKey: Key;
  readonly onRevoke: () => void;
}

function KeyRow({ apiKey, onRevoke }: KeyRowProps) {
  const { id, last4, kind, level, webhooks, orders, createdAt, lastUsedAt } = apiKey;
  const levels = { webhooks: texts.permissions[webhooks], orders: texts.permissions[orders] };
  return (
    <RecordRow id={id}>
      <div class="record-main">
        <p class="row">
          <code>
            {kind === 'live' ? 'sk_live_' : 'live_'}…{last4}
          </code>
          <span class="badge">{texts.levels[level]}</span>
        </p>
        <p class="soft small">
          {level === 'restricted' && `${fill(texts.restrictedTo, levels)} `}
          {texts.created} <Instant at={createdAt} style="relative" />
          {' · '}
          {lastUsedAt ? (
            <>
              {texts.lastUsed} <Instant at={lastUsedAt} style="relative" />
            </>
          ) : (
            texts.unused
          )}
          {' · '}
          <code>{id}</code>
        </p>
      </div>
      <Button small label={fill(texts.revokeOf, { last4 })} onClick={onRevoke}>
        {texts.revoke}
      </Button>
    </RecordRow>
  );
}

const accessLevels: readonly CredentialLevel[] = ['full', 'read', 'restricted'];
const areaLevels: readonly PermissionLevel[] = ['none', 'read', 'write'];

/** Creates a key, then shows it once. */
export function CreateKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [access, setAccess] = useState<CredentialLevel>('full');
  const [webhooks, setWebhooks] = useState<PermissionLevel>('read');
  const [orders, setOrders] = useState<PermissionLevel>('none');
  const [token, setToken] = useState<string>();
  const creating = useAction(async () => {
    const current = session.peek();
    if (current.state !== 'signedIn') return;
    const account = current.viewer.account.id;
    const levels = access === 'restricted' ? { webhooks, orders } : { level: access };
    const input = { account, kind: 'live' as const, ...levels };
    const { issued } = await execute(createApiKeyDocument, { input });
    setToken(issued.token);
    refresh();
  });

  if (token !== undefined) {
    return (
      <Dialog key="created" sticky title={texts.newKey} onClose={onClose}>
        <Secret value={token} label={texts.one} />
        <div class="dialog-actions">
          <Button kind="primary" onClick={onClose}>
            {texts.stored}
          </Button>
        </div>
      </Dialog>
    );
  }

  const areas = [
    { label: texts.webhooks, value: webhooks, set: setWebhooks },
    { label: texts.orders, value: orders, set: setOrders },
  ];

  return (
    <ConfirmDialog
      title={texts.createTitle}
      action={texts.create}
      busy={creating.running}
      error={creating.error}
      onConfirm={() => void creating.run()}
      onClose={onClose}
    >
      <SelectField
        label={texts.access}
        value={access}
        options={accessLevels.map((level) => [level, texts.levels[level]])}
        onChange={(value) => setAccess(accessLevels.find((level) => level === value) ?? 'full')}
      />
      <p class="field-hint">{texts.levelHints[access]}</p>
      {access === 'restricted' &&
        areas.map(({ label, value: chosen, set }) => (
          <SelectField
            key={label}
            label={label}
            value={chosen}
            options={areaLevels.map((level) => [level, texts.permissions[level]])}
            onChange={(value) => set(areaLevels.find((level) => level === value) ?? 'none')}
          />
        ))}
    </ConfirmDialog>
  );
}

interface RevokeKeyDialogProps {
  readonly apiKey: { readonly id: string; readonly last4: string };
  readonly onClose: () => void;
}

/** Asks for confirmation before it revokes a key, which cannot be undone. */
export function RevokeKeyDialog({ apiKey: { id, last4 }, onClose }: RevokeKeyDialogProps) {
  const revoking = useAction(async () => {
    await execute(revokeApiKeyDocument, { id });
    refresh();
    showToast(texts.revoked);
    onClose();
  });

  return (
    <ConfirmDialog
      title={texts.revokeTitle}
      action={texts.revoke}
      kind="danger"
      busy={revoking.running}
      error={revoking.error}
      onConfirm={() => void revoking.run()}
      onClose={onClose}
    >
      <p>{fill(texts.revokeDetail, { last4 })}</p>
    </ConfirmDialog>
  );
}
