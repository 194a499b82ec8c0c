import { useRoute } from 'preact-iso';
import { base } from '../../api/base.js';
import { can } from '../../api/session-state.js';
import { useQuery, useRepeat } from '../../api/use-query.js';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { formatInstant, formatShare } from '../../texts/format.js';
import { PageHeader } from '../../components/page-header.js';
import { endpointDocument, recoveryDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { hostAndPath } from '../endpoints/host.js';
import { RecoveryActions } from './recovery-actions.js';
import { RecoveryBadge } from './recovery-badge.js';
import { recoveriesPath } from './recovery-draft.js';
import { ProgressFacts, RecoveryFacts } from './recovery-facts.js';
import { isMoving, type Recovery, shareRead } from './recovery-progress.js';
import './recoveries.css';

const againMs = 2_000;
const texts = text.recoveries;

/** One recovery: how far it is, and what can be done with it. */
export function RecoveryPage() {
  const id = useRoute().params['id'] ?? '';
  const { data, error, reload } = useQuery(recoveryDocument, { id });
  const recovery = data?.recovery;
  useRepeat(reload, againMs, recovery !== undefined && isMoving(recovery));
  const title = recovery ? texts.kinds[recovery.what] : texts.one;
  return (
    <>
      <PageHeader
        title={title}
        back={{ href: recoveriesPath, label: texts.title }}
        lead={recovery ? <RecoveryBadge status={recovery.status} /> : '\u00a0'}
        actions={recovery && can('webhooks', 'write') && <RecoveryActions recovery={recovery} />}
      />
      {error && <ErrorNotice error={error} retry={reload} />}
      {recovery && (
        <>
          <StateNotice recovery={recovery} />
          <ProgressCard recovery={recovery} />
          <Card title={texts.to}>
            <EndpointLink id={recovery.endpointId} />
            <RecoveryFacts recovery={recovery} />
          </Card>
        </>
      )}
    </>
  );
}

/** Why it does not go on, or goes on slowly. */
function StateNotice({ recovery }: { readonly recovery: Recovery }) {
  const { status, reason, waitsFor } = recovery;
  const why = reason ?? (status === 'running' ? waitsFor : null);
  const known: Readonly<Record<string, string>> = { ...texts.reasons, ...texts.waits };
  const detail = why === null ? undefined : known[why];
  return detail === undefined ? null : (
    <Notice kind="warn" title={texts.statuses[status]}>
      <p>{detail}</p>
    </Notice>
  );
}

function ProgressCard({ recovery }: { readonly recovery: Recovery }) {
  const share = shareRead(recovery);
  return (
    <Card title={texts.progress}>
      <div class="stack-s">
        <progress class="progress" max={1} value={share} aria-label={texts.progress} />
        <p class="soft small">
          {fill(texts.readUpTo, {
            share: formatShare(share),
            time: formatInstant(Date.parse(recovery.position)),
          })}
        </p>
      </div>
      <ProgressFacts recovery={recovery} />
    </Card>
  );
}

function EndpointLink({ id }: { readonly id: string }) {
  const { data, error } = useQuery(endpointDocument, { id });
  if (error) {
    return (
      <p class="soft">
        {error.code === 'not_found' ? texts.deletedEndpoint : error.message} <code>{id}</code>
      </p>
    );
  }
  return (
    <a class="mono" href={`${base}/endpoints/${id}`}>
      <DataText value={data ? hostAndPath(data.endpoint.url) : id} />
    </a>
  );
}
