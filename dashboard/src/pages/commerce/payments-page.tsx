import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { paymentsDocument } from '../../generated/documents.js';
import { SaleFilters } from './sale-filters.js';
import { NumberedPager, SaleList } from './sale-list.js';
import { pageNumber, readSaleFilter, saleVariables } from './sale-paths.js';

/** The payments of the account, of all buyers or of one. */
export function PaymentsPage() {
  const { query: url } = useLocation();
  const page = pageNumber(url['page']);
  const filter = readSaleFilter('payments', url);
  const query = useQuery(paymentsDocument, saleVariables(filter, page));
  const list = query.data?.payments;
  const rows = list?.data.map(({ id, buyerEmail, status, amountMinorUnits, ...payment }) => ({
    id,
    status,
    title: buyerEmail,
    detail: id,
    minorUnits: amountMinorUnits,
    currency: payment.currency,
    at: payment.createdAt,
  }));

  return (
    <SaleList
      kind="payments"
      query={query}
      rows={rows}
      part={page > 1 || Object.keys(filter).length > 0}
      pager={<NumberedPager kind="payments" pagination={list?.pagination} />}
    >
      <SaleFilters kind="payments" filter={filter} error={query.error} />
    </SaleList>
  );
}
