import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card, Fact, Facts } from '../../components/card.js';
import { paymentDocument, type paymentQuery } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { formatMoney } from './money.js';
import { MoneyText } from './money-text.js';
import { RefundDialog } from './refund-dialog.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact } from './sale-page.js';

const texts = text.commerce;

/** One payment: what it brought, and what is left to refund. */
export function PaymentPage() {
  const query = useQuery(paymentDocument, { id: useRoute().params['id'] ?? '' });
  const payment = query.data?.payment;
  const title = payment && formatMoney(payment.amountMinorUnits, payment.currency);
  return (
    <SalePage
      kind="payments"
      query={query}
      title={title}
      status={payment?.status}
      actions={payment && can('orders', 'write') && <RefundButton payment={payment} />}
    >
      {payment && <PaymentCard payment={payment} />}
    </SalePage>
  );
}

function RefundButton({ payment }: paymentQuery) {
  const [open, setOpen] = useState(false);
  const left = payment.amountMinorUnits - payment.refundedMinorUnits;
  const refundable = left > 0 && payment.status !== 'charged_back';
  return (
    <>
      {refundable && <Button onClick={() => setOpen(true)}>{texts.refund}</Button>}
      {open && <RefundDialog payment={payment} onClose={() => setOpen(false)} />}
    </>
  );
}

function PaymentCard({ payment }: paymentQuery) {
  const { currency, amountMinorUnits, refundedMinorUnits } = payment;
  const amounts = [
    [texts.amount, amountMinorUnits],
    [texts.refunded, refundedMinorUnits],
    [texts.left, amountMinorUnits - refundedMinorUnits],
    [texts.fee, payment.feeMinorUnits],
    [texts.net, payment.netMinorUnits],
  ] as const;
  return (
    <Card title={texts.one.payments}>
      <Facts>
        {amounts.map(([name, minorUnits]) => (
          <Fact key={name} name={name}>
            <MoneyText minorUnits={minorUnits} currency={currency} />
          </Fact>
        ))}
        <TextFact name={texts.email} value={payment.buyerEmail} />
        <TextFact name={texts.method} value={payment.method} />
        <TimeFact name={texts.created} at={payment.createdAt} />
        <TimeFact name={texts.booked} at={payment.cashFlowAt} />
        <IdFact name={texts.one.orders} kind="orders" ids={[payment.order]} />
        <OwnIdFact id={payment.id} />
      </Facts>
    </Card>
  );
}
