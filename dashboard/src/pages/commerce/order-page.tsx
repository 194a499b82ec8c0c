import { useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { orderDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact } from './sale-page.js';
import { MoneyText } from './sale-values.js';
import { TotalsCard } from './totals-card.js';

const texts = text.commerce;

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
