import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { base } from '../../api/base.js';
import { execute } from '../../api/request.js';
import { can } from '../../api/session-state.js';
import { useAction } from '../../api/use-action.js';
import { refresh, useQuery, useRepeat } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card, EmptyState, Fact, Facts } from '../../components/card.js';
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
  recoveriesDocument,
  recoveryDocument,
  type RecoveryStatus,
  resumeRecoveryDocument,
} from '../../generated/documents.js';
import { formatInstant, formatNumber, formatShare } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { hostAndPath } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import {
  isActive,
  isMoving,
  recoveriesPath,
  type Recovery,
  shareRead,
  startPath,
} from './recovery-rules.js';
import './recoveries.css';

const texts = text.recoveries;

const statuses: readonly RecoveryStatus[] = ['running', 'paused', 'completed', 'cancelled'];
const listAgainMs = 3_000;

/** The recoveries of the account, newest first. Filter and page are in the URL. */
export function RecoveriesPage() {
  const { query, route } = useLocation();
  const status = statuses.find((known) => known === query['status']);
  const cursor = query['cursor'];
  const { data, error, loading, reload } = useQuery(recoveriesDocument, {
    ...(status && { status }),
    ...(cursor && { cursor }),
  });

  const endpoints = useEndpointOptions().data ?? [];
  const rows = data?.recoveries.data ?? [];
  useRepeat(reload, listAgainMs, rows.some(isMoving));

  const next = data?.recoveries.page.nextCursor;
  const mayStart = can('webhooks', 'write');
  const start = mayStart && (
    <ButtonLink kind="primary" href={startPath()}>
      {texts.start}
    </ButtonLink>
  );

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} actions={start || undefined} />
      <StatusFilter status={status} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {rows.length > 0 && (
        <ul class="card list" aria-busy={loading}>
          {rows.map((recovery) => (
            <RecoveryRow
              key={recovery.id}
              recovery={recovery}
              url={endpoints.find(({ id }) => id === recovery.endpointId)?.url}
            />
          ))}
        </ul>
      )}
      {!data && loading && <WaitingRow />}
      {data && rows.length === 0 && (
        <EmptyState title={texts.emptyTitle} action={start || undefined}>
          {status ? texts.emptyFilter : texts.empty}
          {!mayStart && !status && ` ${texts.emptyReadOnly}`}
        </EmptyState>
      )}
      {(cursor || next) && (
        <nav class="row" aria-label={texts.title}>
          {cursor && <ButtonLink href={pathOf(status)}>{text.common.first}</ButtonLink>}
          {next && <Button onClick={() => route(pathOf(status, next))}>{text.common.next}</Button>}
        </nav>
      )}
    </>
  );
}

function StatusFilter({ status }: { readonly status: RecoveryStatus | undefined }) {
  return (
    <nav class="filter filter-wrap" aria-label={texts.filter}>
      {[undefined, ...statuses].map((choice) => (
        <a key={choice} href={pathOf(choice)} aria-current={choice === status ? 'true' : undefined}>
          {choice ? texts.statuses[choice] : texts.all}
        </a>
      ))}
    </nav>
  );
}

function WaitingRow() {
  return (
    <div class="card list" aria-busy="true" aria-label={text.common.loading} role="status">
      <div class="list-row">
        <span class="skeleton" />
      </div>
    </div>
  );
}

function pathOf(status: RecoveryStatus | undefined, cursor?: string): string {
  const query = new URLSearchParams({ ...(status && { status }), ...(cursor && { cursor }) });
  return query.size === 0 ? recoveriesPath : `${recoveriesPath}?${query.toString()}`;
}

interface RecoveryRowProps {
  readonly recovery: Recovery;
  /** The URL of its endpoint, if the page knows it. */
  readonly url: string | undefined;
}

/** One recovery of a list. */
export function RecoveryRow({ recovery, url }: RecoveryRowProps) {
  const { id, endpointId, what, status, failed, missed, createdAt } = recovery;
  return (
    <li class="list-row">
      <div class="list-row-name">
        <a href={`${recoveriesPath}/${id}`}>
          {texts.kinds[what]} · <Instant at={createdAt} style="short" />
        </a>
        <p class="soft small mono">
          <DataText value={url === undefined ? endpointId : hostAndPath(url)} />
        </p>
      </div>
      <div class="recovery-state small">
        <RecoveryBadge status={status} />
        {isActive(recovery) && (
          <span class="soft">{fill(texts.read, { share: formatShare(shareRead(recovery)) })}</span>
        )}
        <span class="soft">{fill(texts.sent, { count: failed + missed })}</span>
      </div>
    </li>
  );
}

const againMs = 2_000;

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

const kinds: Readonly<Record<RecoveryStatus, string>> = {
  running: 'badge-good',
  paused: 'badge-warn',
  completed: '',
  cancelled: '',
};

/** The state of a recovery: a coloured dot and its name. */
export function RecoveryBadge({ status }: { readonly status: RecoveryStatus }) {
  return <span class={`badge ${kinds[status]}`}>{text.recoveries.statuses[status]}</span>;
}
