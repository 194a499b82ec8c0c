import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { Instant } from '../../components/instant.js';
import { PageHeader } from '../../components/page-header.js';
import { apiKeysDocument, type apiKeysQuery } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { CreateKeyDialog } from './create-key-dialog.js';
import { MissingRecord } from './missing-record.js';
import { RecordRow } from './record-row.js';
import { RevokeKeyDialog } from './revoke-key-dialog.js';
import './account.css';

type Key = apiKeysQuery['apiKeys'][number];

/** The API keys of the account, newest first. */
export function KeysPage() {
  const { find } = useLocation().query;
  const { data, error, loading, reload } = useQuery(apiKeysDocument, {});
  const [creating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<Key>();
  const keys = data?.apiKeys ?? [];
  const texts = text.keys;
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
  const texts = text.keys;
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
