import { useLocation } from 'preact-iso';
import { base } from '../../api/base.js';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { type EndpointStatus, endpointsDocument } from '../../generated/documents.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { text } from '../../texts/text.js';
import { EndpointRow } from './endpoint-row.js';
import './endpoints.css';

const createPath = `${base}/endpoints/new`;
const statuses: readonly EndpointStatus[] = ['active', 'inactive'];

/** The endpoints of the account, newest first. Filter and page are in the URL. */
export function EndpointsPage() {
  const { query, route } = useLocation();
  const status = statuses.find((each) => each === query['status']);
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
      {text.endpoints.create}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={text.endpoints.title}
        lead={text.endpoints.lead}
        actions={create || undefined}
      />
      <StatusFilter status={status} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {rows.length > 0 && (
        <ul class="card endpoints" aria-busy={loading}>
          {rows.map((endpoint) => (
            <EndpointRow key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      )}
      {!data && loading && <WaitingRows />}
      {data && rows.length === 0 && (
        <EmptyState title={text.endpoints.emptyTitle} action={create || undefined}>
          {status ? text.endpoints.emptyFilter : text.endpoints.empty}
          {!mayCreate && !status && ` ${text.endpoints.emptyReadOnly}`}
        </EmptyState>
      )}
      {(cursor || next) && (
        <nav class="row" aria-label={text.endpoints.title}>
          {cursor && <ButtonLink href={pathOf(status)}>{text.common.first}</ButtonLink>}
          {next && <Button onClick={() => route(pathOf(status, next))}>{text.common.next}</Button>}
        </nav>
      )}
    </>
  );
}

function StatusFilter({ status }: { readonly status: EndpointStatus | undefined }) {
  return (
    <nav class="filter" aria-label={text.endpoints.filter}>
      {[undefined, ...statuses].map((each) => (
        <a key={each} href={pathOf(each)} aria-current={each === status ? 'true' : undefined}>
          {text.endpoints[each ?? 'all']}
        </a>
      ))}
    </nav>
  );
}

/** Has the height of three rows, so that nothing moves when they come. */
function WaitingRows() {
  return (
    <div class="card endpoints" aria-busy="true" aria-label={text.common.loading} role="status">
      {[1, 2, 3].map((each) => (
        <div key={each} class="endpoint">
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
