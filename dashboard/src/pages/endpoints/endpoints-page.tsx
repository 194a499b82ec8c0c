import { useLocation } from 'preact-iso';
import { base } from '../../api/base.js';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import {
  endpointsDocument,
  type endpointsQuery,
  type EndpointStatus,
} from '../../generated/documents.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { fill, text } from '../../texts/text.js';
import { StateBadge } from './health-facts.js';
import './endpoints.css';

const texts = text.endpoints;

const createPath = `${base}/endpoints/new`;
const statuses: readonly EndpointStatus[] = ['active', 'inactive'];

/** The endpoints of the account, newest first. Filter and page are in the URL. */
export function EndpointsPage() {
  const { query, route } = useLocation();
  const status = statuses.find((known) => known === query['status']);
  const cursor = query['cursor'];
  const { data, error, loading, reload } = useQuery(endpointsDocument, {
    ...(status && { status }),
    ...(cursor && { cursor }),
  });

  const mayCreate = can('webhooks', 'write');
  useShortcuts(mayCreate ? { n: () => route(createPath) } : {});

  const rows = data?.endpoints.data ?? [];
  const next = data?.endpoints.page.nextCursor;
  const create = mayCreate && (
    <ButtonLink kind="primary" href={createPath}>
      {texts.create}
    </ButtonLink>
  );

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} actions={create || undefined} />
      <StatusFilter status={status} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {rows.length > 0 && (
        <ul class="card list" aria-busy={loading}>
          {rows.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      )}
      {!data && loading && <WaitingRows />}
      {data && rows.length === 0 && (
        <EmptyState title={texts.emptyTitle} action={create || undefined}>
          {status ? texts.emptyFilter : texts.empty}
          {!mayCreate && !status && ` ${texts.emptyReadOnly}`}
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

function StatusFilter({ status }: { readonly status: EndpointStatus | undefined }) {
  return (
    <nav class="filter" aria-label={texts.filter}>
      {[undefined, ...statuses].map((choice) => (
        <a key={choice} href={pathOf(choice)} aria-current={choice === status ? 'true' : undefined}>
          {texts[choice ?? 'all']}
        </a>
      ))}
    </nav>
  );
}

/** As high as three rows, so that nothing moves when they arrive. */
function WaitingRows() {
  return (
    <div class="card list" aria-busy="true" aria-label={text.common.loading} role="status">
      {[1, 2, 3].map((row) => (
        <div key={row} class="list-row">
          <span class="skeleton" />
        </div>
      ))}
    </div>
  );
}

function pathOf(status: EndpointStatus | undefined, cursor?: string): string {
  const query = new URLSearchParams({ ...(status && { status }), ...(cursor && { cursor }) });
  return query.size === 0 ? `${base}/endpoints` : `${base}/endpoints?${query.toString()}`;
}

type Endpoint = endpointsQuery['endpoints']['data'][number];

/** One endpoint of the list, with its health. */
export function EndpointRow({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id, url, description, eventTypes, disabledReason, active, summary } = endpoint;
  return (
    <li class="list-row">
      <div class="list-row-name">
        <a class="mono" href={`${base}/endpoints/${id}`}>
          <DataText value={url} />
        </a>
        {description !== null && (
          <p class="soft small">
            <DataText value={description} />
          </p>
        )}
        {!active && (
          <p class="small">
            {disabledReason ? texts.reasons[disabledReason] : texts.inactiveReason}
          </p>
        )}
      </div>
      <dl class="endpoint-facts small">
        <div>
          <dt class="visually-hidden">{texts.health}</dt>
          <dd>{summary && <StateBadge state={summary.state} />}</dd>
        </div>
        <div>
          <dt class="soft">{texts.lastSuccess}</dt>
          <dd>
            {summary?.lastSuccessAt ? (
              <Instant at={summary.lastSuccessAt} style="relative" />
            ) : (
              <span class="soft">{text.common.never}</span>
            )}
          </dd>
        </div>
        <div>
          <dt class="visually-hidden">{texts.eventTypes}</dt>
          <dd class="soft">{fill(texts.types, { count: eventTypes.length })}</dd>
        </div>
      </dl>
    </li>
  );
}
