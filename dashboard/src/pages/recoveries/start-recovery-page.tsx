import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery } from '../../api/use-query.js';
import { EmptyState } from '../../components/card.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  endpointDocument,
  previewRecoveryDocument,
  startRecoveryDocument,
} from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { draftOf, rangeOf, recoveriesPath } from './recovery-draft.js';
import { RecoveryForm } from './recovery-form.js';
import { RecoveryPreview } from './recovery-preview.js';
import './recoveries.css';

const texts = text.recoveries;

/** Chooses what to send again, shows what that would be, and starts it. */
export function StartRecoveryPage() {
  const { query, route } = useLocation();
  const [draft, setDraft] = useState(() => draftOf(query));
  // One key for the form: a second click, or one after a lost answer, starts nothing twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const known = draft.endpoint !== '';
  const endpoint = useQuery(known ? endpointDocument : undefined, { id: draft.endpoint });
  const range = rangeOf(draft);
  const preview = useQuery(range && previewRecoveryDocument, {
    input: range ?? { endpoint: '', what: 'both' },
  });
  const starting = useAction(async () => {
    if (!range) return;
    const { started } = await execute(startRecoveryDocument, {
      input: { ...range, idempotencyKey },
    });
    refresh();
    showToast(texts.started);
    route(`${recoveriesPath}/${started.id}`, true);
  });
  const mayStart = can('webhooks', 'write');
  return (
    <>
      <PageHeader
        title={texts.formTitle}
        lead={texts.formLead}
        back={{ href: recoveriesPath, label: texts.title }}
      />
      {mayStart ? (
        <>
          <RecoveryForm
            draft={draft}
            subscribed={endpoint.data?.endpoint.eventTypes ?? []}
            error={starting.error ?? endpoint.error ?? (range && preview.error)}
            onChange={(part) => {
              starting.clear();
              setDraft((before) => ({ ...before, ...part }));
            }}
          />
          <RecoveryPreview
            range={range}
            preview={preview}
            inactive={endpoint.data?.endpoint.active === false}
            error={starting.error}
            busy={starting.running}
            onStart={() => void starting.run()}
          />
        </>
      ) : (
        <EmptyState title={texts.title}>{texts.emptyReadOnly}</EmptyState>
      )}
    </>
  );
}
