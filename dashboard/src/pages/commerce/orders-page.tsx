import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { ordersDocument } from '../../generated/documents.js';
import { SaleFilters } from './sale-filters.js';
import { NumberedPager, SaleList } from './sale-list.js';
import { pageNumber, readSaleFilter, saleVariables } from './sale-paths.js';

/** The orders of the account. */
export function OrdersPage() {
  const { query: url } = useLocation();
  const page = pageNumber(url['page']);
  const filter = readSaleFilter('orders', url);
  const query = useQuery(ordersDocument, saleVariables(filter, page));
  const list = query.data?.orders;
  const rows = list?.data.map(({ id, buyer, externalReference, totals, currency, ...order }) => ({
    id,
    currency,
    minorUnits: totals.totalMinorUnits,
    at: order.createdAt,
    title: buyer.name ?? buyer.email,
    detail: externalReference,
    status: refundState(order.refundedMinorUnits, totals.totalMinorUnits),
  }));

  return (
    <SaleList
      kind="orders"
      query={query}
      rows={rows}
      part={page > 1 || Object.keys(filter).length > 0}
      pager={<NumberedPager kind="orders" pagination={list?.pagination} />}
    >
      <SaleFilters kind="orders" filter={filter} error={query.error} />
    </SaleList>
  );
}

function refundState(refunded: number, total: number) {
  if (refunded === 0) return 'completed' as const;
  return refunded < total ? ('partially_refunded' as const) : ('refunded' as const);
}
