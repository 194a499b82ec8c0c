import { useLocation } from 'preact-iso';
import { can } from '../../api/session-state.js';
import { useQuery, useRepeat } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { recoveriesDocument, type RecoveryStatus } from '../../generated/documents.js';
import { formatShare } from '../../texts/format.js';
import { fill, text } from '../../texts/text.js';
import { hostAndPath } from '../endpoints/host.js';
import { useEndpointOptions } from '../endpoints/use-endpoint-options.js';
import { RecoveryBadge } from './recovery-badge.js';
import {
  isActive,
  isMoving,
  recoveriesPath,
  type Recovery,
  shareRead,
  startPath,
} from './recovery-rules.js';
import '../endpoints/endpoints.css';
import './recoveries.css';

const texts = text.recoveries;

const statuses: readonly RecoveryStatus[] = ['running', 'paused', 'completed', 'cancelled'];
const againMs = 3_000;

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
  useRepeat(reload, againMs, rows.some(isMoving));

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
        <ul class="card endpoints" aria-busy={loading}>
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
    <div class="card endpoints" aria-busy="true" aria-label={text.common.loading} role="status">
      <div class="endpoint">
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
    <li class="endpoint">
      <div class="endpoint-name">
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
