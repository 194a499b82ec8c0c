import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { refundsDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { SaleFilters } from './sale-filters.js';
import { NumberedPager, SaleList } from './sale-list.js';
import { pageNumber, readSaleFilter, saleVariables } from './sale-paths.js';

/** The refunds of the account. */
export function RefundsPage() {
  const { query: url } = useLocation();
  const page = pageNumber(url['page']);
  const filter = readSaleFilter('refunds', url);
  const query = useQuery(refundsDocument, saleVariables(filter, page));
  const list = query.data?.refunds;
  const rows = list?.data.map(({ id, status, reason, amountMinorUnits, ...refund }) => ({
    id,
    status,
    detail: id,
    minorUnits: amountMinorUnits,
    currency: refund.currency,
    at: refund.createdAt,
    title: text.commerce.reasons[reason ?? 'none'],
  }));

  return (
    <SaleList
      kind="refunds"
      query={query}
      rows={rows}
      part={page > 1 || Object.keys(filter).length > 0}
      pager={<NumberedPager kind="refunds" pagination={list?.pagination} />}
    >
      <SaleFilters kind="refunds" filter={filter} error={query.error} />
    </SaleList>
  );
}
