import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { base } from '../../api/base.js';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery, useRepeat } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/toast.js';
import {
  cancelRecoveryDocument,
  endpointDocument,
  pauseRecoveryDocument,
  recoveryDocument,
  resumeRecoveryDocument,
} from '../../generated/documents.js';
import { formatInstant, formatNumber, formatShare } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { hostAndPath } from '../endpoints/host.js';
import { RecoveryBadge } from './recovery-badge.js';
import { isActive, isMoving, recoveriesPath, type Recovery, shareRead } from './recovery-rules.js';
import './recoveries.css';

const againMs = 2_000;
const texts = text.recoveries;

/** One recovery: its progress and its actions. */
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

/** Why a recovery is stopped or slow. */
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

/** Pauses, resumes or cancels a recovery that has not ended. */
export function RecoveryActions({ recovery }: { readonly recovery: Recovery }) {
  const { id, status } = recovery;
  const [asking, setAsking] = useState(false);
  const changing = useAction(async () => {
    await execute(status === 'running' ? pauseRecoveryDocument : resumeRecoveryDocument, { id });
    refresh();
    showToast(status === 'running' ? texts.paused : texts.resumed);
  });

  if (!isActive(recovery)) return null;

  return (
    <>
      <div class="row">
        <Button busy={changing.running} onClick={() => void changing.run()}>
          {status === 'running' ? texts.pause : texts.resume}
        </Button>
        <Button onClick={() => setAsking(true)}>{texts.cancel}</Button>
      </div>
      {changing.error && <ErrorNotice error={changing.error} />}
      {asking && <CancelDialog id={id} onClose={() => setAsking(false)} />}
    </>
  );
}

function CancelDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const cancelling = useAction(async () => {
    await execute(cancelRecoveryDocument, { id });
    refresh();
    showToast(texts.cancelled);
    onClose();
  });

  return (
    <ConfirmDialog
      title={texts.cancelTitle}
      action={texts.cancel}
      kind="danger"
      busy={cancelling.running}
      error={cancelling.error}
      onConfirm={() => void cancelling.run()}
      onClose={onClose}
    >
      <p>{texts.cancelDetail}</p>
    </ConfirmDialog>
  );
}

/** The state of the deliveries that a recovery has added. */
export function ProgressFacts({ recovery }: { readonly recovery: Recovery }) {
  const { failed, missed, waiting, delivered, retrying, abandoned } = recovery;
  return (
    <Facts>
      <Fact name={texts.added}>
        {formatNumber(failed + missed)}
        <div class="soft small">{fill(texts.addedOf, { failed, missed })}</div>
      </Fact>
      <Fact name={texts.delivered}>
        {delivered === null ? (
          <span class="soft">{texts.deliveredUnknown}</span>
        ) : (
          formatNumber(delivered)
        )}
      </Fact>
      <Fact name={texts.waiting}>{formatNumber(waiting)}</Fact>
      <Fact name={texts.retrying}>{formatNumber(retrying)}</Fact>
      <Fact name={texts.abandoned}>{formatNumber(abandoned)}</Fact>
    </Facts>
  );
}

/** The settings of a recovery. */
export function RecoveryFacts({ recovery }: { readonly recovery: Recovery }) {
  const { id, since, until, eventTypes, ratePerSecond, createdAt, endedAt } = recovery;
  return (
    <Facts>
      <Fact name={texts.since}>
        <Instant at={since} />
      </Fact>
      <Fact name={texts.until}>
        <Instant at={until} />
      </Fact>
      <Fact name={texts.types}>
        {eventTypes === null
          ? texts.allTypes
          : eventTypes.map((type) => (
              <div key={type}>
                <code>{type}</code>
              </div>
            ))}
      </Fact>
      <Fact name={texts.rate}>{formatNumber(ratePerSecond)}</Fact>
      <Fact name={texts.created}>
        <Instant at={createdAt} />
      </Fact>
      {endedAt !== null && (
        <Fact name={texts.ended}>
          <Instant at={endedAt} />
        </Fact>
      )}
      <Fact name={texts.id}>
        <code>{id}</code>
      </Fact>
    </Facts>
  );
}
