import { useLocation } from 'preact-iso';
import { useQuery } from '../api/use-query.js';
import { Button, ButtonLink } from '../components/button.js';
import { DataText } from '../components/data-text.js';
import { EmptyState } from '../components/empty-state.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Instant } from '../components/instant.js';
import { PageHeader } from '../components/page-header.js';
import { accountsDocument, lookUpIdDocument } from '../generated/operator-documents.js';
import { text } from '../texts/text.js';
import { FoundId } from './found-id.js';
import { paths, searchPath } from './paths.js';
import { Search } from './search.js';
import { operatorText } from './texts.js';

const texts = operatorText.accounts;

/** All accounts, and what a search for an id finds. Search and page are in the URL. */
export function AccountsPage() {
  const { query, route } = useLocation();
  const { search, cursor } = query;
  const { data, error, loading, reload } = useQuery(accountsDocument, {
    ...(search && { search }),
    ...(cursor && { cursor }),
  });
  const lookedUp = useQuery(search ? lookUpIdDocument : undefined, { text: search ?? '' });
  const lookup = lookedUp.data?.lookup ?? undefined;
  const searching = search !== undefined && search !== '' && lookedUp.loading;
  // A text that is too long for a name may hold an id.
  const refusal = lookup ? undefined : error;
  const rows = data?.accounts.data;
  const next = data?.accounts.page.nextCursor;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Search key={search} search={search ?? ''} error={refusal} />
      {refusal && <ErrorNotice error={refusal} retry={reload} />}
      {lookedUp.error && <ErrorNotice error={lookedUp.error} retry={lookedUp.reload} />}
      {/* The list shows an account that was found. */}
      {lookup && !rows?.some(({ id }) => id === lookup.id) && <FoundId lookup={lookup} />}
      {!rows && loading && (
        <div class="card card-body" role="status" aria-label={text.common.loading}>
          <span class="skeleton" />
        </div>
      )}
      {rows && rows.length > 0 && (
        <div class="card">
          <ul class="rows" aria-busy={loading}>
            {rows.map(({ id, name, createdAt }) => (
              <li key={id}>
                <div class="row-main">
                  <a href={`${paths.accounts}/${id}`}>
                    <DataText value={name} />
                  </a>
                  <code class="soft small">{id}</code>
                </div>
                <span class="soft small">
                  {texts.created} <Instant at={createdAt} style="short" />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {rows?.length === 0 && !searching && !lookup && (
        <EmptyState title={search ? texts.empty : texts.none}>
          {search ? texts.emptyDetail : texts.noneDetail}
        </EmptyState>
      )}
      {(cursor || next) && (
        <nav class="row" aria-label={texts.title}>
          {cursor && <ButtonLink href={searchPath(search)}>{text.common.first}</ButtonLink>}
          {next && (
            <Button onClick={() => route(searchPath(search, next))}>{text.common.next}</Button>
          )}
        </nav>
      )}
    </>
  );
}
