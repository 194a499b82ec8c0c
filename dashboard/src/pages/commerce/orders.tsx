import { useLocation, useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { orderDocument, ordersDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { NumberedPager, SaleFilters, SaleList } from './sale-list.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact, TotalsCard } from './sale-page.js';
import { pageNumber, readSaleFilter, saleVariables } from './sale-paths.js';
import { MoneyText } from './sale-values.js';

const texts = text.commerce;

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
      isPartial={page > 1 || Object.keys(filter).length > 0}
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

/** One order: its buyer, its goods, and its payments and invoices. */
export function OrderPage() {
  const query = useQuery(orderDocument, { id: useRoute().params['id'] ?? '' });
  const order = query.data?.order;
  return (
    <SalePage kind="orders" query={query} title={order?.buyer.name ?? order?.buyer.email}>
      {order && (
        <>
          <Card title={texts.one.orders}>
            <Facts>
              <TextFact name={texts.buyer} value={order.buyer.name} />
              <TextFact name={texts.email} value={order.buyer.email} />
              <TextFact name={texts.country} value={order.buyer.country} />
              <TextFact name={texts.reference} value={order.externalReference} />
              <TimeFact name={texts.completed} at={order.completedAt} />
              {order.refundedMinorUnits > 0 && (
                <Fact name={texts.refunded}>
                  <MoneyText minorUnits={order.refundedMinorUnits} currency={order.currency} />
                </Fact>
              )}
              <IdFact name={texts.kinds.payments} kind="payments" ids={order.paymentIds} />
              <IdFact name={texts.kinds.invoices} kind="invoices" ids={order.invoiceIds} />
              <IdFact name={texts.one.checkouts} kind="checkouts" ids={[order.checkout]} />
              <OwnIdFact id={order.id} />
            </Facts>
          </Card>
          <TotalsCard totals={order.totals} lineItems={order.lineItems} />
        </>
      )}
    </SalePage>
  );
}
