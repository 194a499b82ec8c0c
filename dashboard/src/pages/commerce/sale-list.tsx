import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import type { RequestError } from '../../api/request-error.js';
import { incompleteIn, useFocusOnRefusal } from '../../api/use-action.js';
import type { Query } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { ClearFilters } from '../../components/clear-filters.js';
import { DataText } from '../../components/data-text.js';
import { TextField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { fill, text } from '../../texts/text.js';
import {
  filteredPath,
  hasNumber,
  pageNumber,
  readSaleFilter,
  type SaleFilter,
  type SaleKind,
  saleKinds,
  salePath,
} from './sale-paths.js';
import { MoneyText, SaleBadge, type SaleStatus } from './sale-values.js';
import '../../components/filters.css';
import './commerce.css';

const texts = text.commerce;

/** One object of a list. */
export interface SaleRow {
  readonly id: string;
  /** Untrusted, like `detail`: shown with `DataText`. */
  readonly title: string;
  readonly detail: string;
  readonly status?: SaleStatus;
  readonly minorUnits: number;
  readonly currency: string;
  readonly at: string;
}

interface SaleListProps {
  readonly kind: SaleKind;
  readonly query: Pick<Query<unknown>, 'error' | 'loading' | 'reload'>;
  /** Undefined until the service has answered. */
  readonly rows: readonly SaleRow[] | undefined;
  readonly pager: ComponentChildren;
  /** Filters, above the list. */
  readonly children?: ComponentChildren;
  /** True if a filter or the page may hide objects, so that an empty list does not mean that there are none. */
  readonly isPartial: boolean;
}

/** A list of objects of one kind, newest first, with links to the other kinds. */
export function SaleList({ kind, query, rows, pager, children, isPartial }: SaleListProps) {
  const { error, loading, reload } = query;
  return (
    <>
      <PageHeader title={texts.kinds[kind]} lead={texts.leads[kind]} />
      <nav class="filter filter-wrap" aria-label={texts.title}>
        {saleKinds.map((listed) => (
          <a
            key={listed}
            href={salePath(listed)}
            aria-current={listed === kind ? 'page' : undefined}
          >
            {texts.kinds[listed]}
          </a>
        ))}
      </nav>
      {children}
      {error && <ErrorNotice error={error} retry={reload} />}
      {rows && rows.length > 0 && (
        <ul class="card list" aria-busy={loading}>
          {rows.map((row) => (
            <SaleItem key={row.id} kind={kind} row={row} />
          ))}
        </ul>
      )}
      {!rows && loading && <WaitingRow />}
      {rows?.length === 0 && (
        <EmptyState title={texts.emptyTitles[kind]}>
          {isPartial ? texts.emptyPart : texts.empty[kind]}
        </EmptyState>
      )}
      {pager}
    </>
  );
}

function SaleItem({ kind, row }: { readonly kind: SaleKind; readonly row: SaleRow }) {
  const { id, title, detail, status, minorUnits, currency, at } = row;
  return (
    <li class="list-row">
      <div class="list-row-name">
        <a href={salePath(kind, id)}>
          {/* A checkout may have no reference: its link must not be empty. */}
          <DataText value={title.trim() === '' ? id : title} />
        </a>
        <p class="soft small">
          <DataText value={detail} />
        </p>
      </div>
      <div class="sale-end small">
        {status && <SaleBadge status={status} />}
        <MoneyText minorUnits={minorUnits} currency={currency} />
        <span class="soft">
          <Instant at={at} style={kind === 'invoices' ? 'day' : 'short'} />
        </span>
      </div>
    </li>
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

interface NumberedPagerProps {
  readonly kind: SaleKind;
  readonly pagination:
    | { readonly currentPage: number; readonly totalPages: number; readonly totalCount: number }
    | undefined;
}

/** Links to the pages of a numbered list, keeping the other parameters of the URL. */
export function NumberedPager({ kind, pagination }: NumberedPagerProps) {
  const { query } = useLocation();
  const current = pageNumber(query['page']);

  if (!pagination) return null;

  const { totalPages: pages, totalCount: count } = pagination;
  const path = (page: number) =>
    `${salePath(kind)}?${new URLSearchParams({ ...query, page: String(page) }).toString()}`;
  return (
    <nav class="row" aria-label={texts.pages}>
      {current > 1 && <ButtonLink href={path(1)}>{text.common.first}</ButtonLink>}
      {current < pages && <ButtonLink href={path(current + 1)}>{text.common.next}</ButtonLink>}
      <span class="soft small">
        {pages > 1 && `${fill(texts.pageOf, { page: current, pages })} · `}
        {fill(texts.count, { count })}
      </span>
    </nav>
  );
}

interface SaleFiltersProps {
  readonly kind: SaleKind;
  readonly filter: SaleFilter;
  /** Why the service refused the filter. */
  readonly error: RequestError | undefined;
}

/** The filters of a list: by buyer, invoice number and days. Applying them puts them into the URL. */
export function SaleFilters(props: SaleFiltersProps) {
  // Another URL starts with other values.
  return <FilterForm key={JSON.stringify(props.filter)} {...props} />;
}

function FilterForm({ kind, filter, error }: SaleFiltersProps) {
  const { route } = useLocation();
  const [typed, setTyped] = useState(filter);
  const form = useFocusOnRefusal(error);

  // While someone types the last day, it is often before the first.
  const [typing, setTyping] = useState(false);

  // A half-typed date has no value, just like an empty field.
  const [incomplete, setIncomplete] = useState<readonly string[]>([]);
  const type = (name: keyof SaleFilter) => (value: string) => {
    setTyped({ ...typed, [name]: value });
    setTyping(true);
    setIncomplete([]);
  };

  const stopTyping = () => setTyping(false);
  const { from = '', to = '' } = typed;
  const reversed = from !== '' && to !== '' && from > to;
  const fromError = incomplete.includes('from') ? texts.dayInvalid : error?.fields['created_from'];
  const toError = incomplete.includes('to')
    ? texts.dayInvalid
    : reversed && !typing
      ? texts.daysReversed
      : error?.fields['created_to'];

  return (
    <form
      ref={form}
      noValidate
      class="filters sale-filters"
      role="search"
      aria-label={texts.kinds[kind]}
      onSubmit={(event) => {
        event.preventDefault();
        stopTyping();
        const halves = incompleteIn(event.currentTarget);
        setIncomplete(halves);
        if (!reversed && halves.length === 0)
          route(filteredPath(kind, readSaleFilter(kind, { ...typed })));
      }}
    >
      <TextField
        label={texts.buyerFilter}
        type="search"
        value={typed.buyer ?? ''}
        error={error?.fields['buyer_email']}
        onInput={type('buyer')}
      />
      {hasNumber(kind) && (
        <TextField
          label={texts.numberFilter}
          placeholder={texts.numberExample}
          type="search"
          value={typed.number ?? ''}
          error={error?.fields['number']}
          onInput={type('number')}
        />
      )}
      <TextField
        label={texts.fromDay}
        type="date"
        name="from"
        value={from}
        error={fromError}
        onInput={type('from')}
        onBlur={stopTyping}
      />
      <TextField
        label={texts.toDay}
        type="date"
        name="to"
        value={to}
        error={toError}
        onInput={type('to')}
        onBlur={stopTyping}
      />
      <div class="row sale-filters-end">
        <Button small type="submit">
          {texts.show}
        </Button>
        <ClearFilters filter={filter} href={salePath(kind)} />
      </div>
      <p class="filters-end soft small">{texts.daysHint}</p>
    </form>
  );
}
