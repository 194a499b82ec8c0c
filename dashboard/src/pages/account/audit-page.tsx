import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { auditLogDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { auditSearchOf, pathOfLog, readAuditFilter } from './audit-filter.js';
import { AuditFilters } from './audit-filters.js';
import { AuditRow } from './audit-row.js';
import './account.css';

/** The changes of the account, newest first. Filter and page are in the URL. */
export function AuditPage() {
  const { query, route } = useLocation();
  // Another time would make another range, and another request, at each change of the page.
  const [now] = useState(() => Date.now());
  const filter = readAuditFilter(query);
  const cursor = query['cursor'];
  const { data, error, loading, reload } = useQuery(auditLogDocument, {
    ...auditSearchOf(filter, now),
    ...(cursor && { cursor }),
  });
  const entries = data?.auditLog.data ?? [];
  const next = data?.auditLog.page.nextCursor;
  const filtered = Object.keys(filter).length > 0;
  const texts = text.audit;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <AuditFilters filter={filter} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {!data && loading && (
        <div class="card card-body" role="status" aria-label={text.common.loading}>
          <span class="skeleton" />
        </div>
      )}
      {entries.length > 0 && (
        <ul class="card records" aria-busy={loading}>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {data && entries.length === 0 && (
        <EmptyState title={texts.empty}>
          {filtered ? texts.emptyFilter : texts.emptyDetail}
        </EmptyState>
      )}
      {(cursor || next) && (
        <nav class="row" aria-label={texts.title}>
          {cursor && <ButtonLink href={pathOfLog(filter)}>{text.common.first}</ButtonLink>}
          {next && (
            <Button onClick={() => route(pathOfLog(filter, next))}>{text.common.next}</Button>
          )}
        </nav>
      )}
    </>
  );
}
