import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { RequestError } from '../api/request-error.js';
import { useFocusOnRefusal } from '../api/use-focus-on-refusal.js';
import { useQuery } from '../api/use-query.js';
import { Button, ButtonLink } from '../components/button.js';
import { DataText } from '../components/data-text.js';
import { EmptyState } from '../components/empty-state.js';
import { ErrorNotice } from '../components/error-notice.js';
import { Instant } from '../components/instant.js';
import { PageHeader } from '../components/page-header.js';
import { TextField } from '../components/text-field.js';
import { accountsDocument } from '../generated/operator-documents.js';
import { text } from '../texts/text.js';
import { paths } from './paths.js';
import { operatorText } from './texts.js';

const texts = operatorText.accounts;

/** All accounts. Search and page are in the URL. */
export function AccountsPage() {
  const { query, route } = useLocation();
  const { search, cursor } = query;
  const { data, error, loading, reload } = useQuery(accountsDocument, {
    ...(search && { search }),
    ...(cursor && { cursor }),
  });
  const rows = data?.accounts.data;
  const next = data?.accounts.page.nextCursor;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Search key={search} search={search ?? ''} error={error} />
      {error && <ErrorNotice error={error} retry={reload} />}
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
      {rows?.length === 0 && (
        <EmptyState title={search ? texts.empty : texts.none}>
          {search ? texts.emptyDetail : texts.noneDetail}
        </EmptyState>
      )}
      {(cursor || next) && (
        <nav class="row" aria-label={texts.title}>
          {cursor && <ButtonLink href={pathOf(search)}>{text.common.first}</ButtonLink>}
          {next && <Button onClick={() => route(pathOf(search, next))}>{text.common.next}</Button>}
        </nav>
      )}
    </>
  );
}

interface SearchProps {
  readonly search: string;
  readonly error: RequestError | undefined;
}

function Search({ search, error }: SearchProps) {
  const { route } = useLocation();
  const [typed, setTyped] = useState(search);
  const form = useFocusOnRefusal(error);
  return (
    <form
      ref={form}
      class="search"
      noValidate
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        route(pathOf(typed.trim()));
      }}
    >
      <TextField
        label={texts.search}
        type="search"
        value={typed}
        error={error?.fields['search']}
        onInput={setTyped}
      />
      <Button type="submit">{texts.find}</Button>
    </form>
  );
}

function pathOf(search: string | undefined, cursor?: string): string {
  const query = new URLSearchParams({ ...(search && { search }), ...(cursor && { cursor }) });
  return query.size === 0 ? paths.accounts : `${paths.accounts}?${query.toString()}`;
}
