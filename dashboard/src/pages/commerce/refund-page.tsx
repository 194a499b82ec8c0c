import { useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Card, Facts } from '../../components/card.js';
import { refundDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { formatMoney } from './money.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact } from './sale-page.js';

const texts = text.commerce;

/** One refund. */
export function RefundPage() {
  const query = useQuery(refundDocument, { id: useRoute().params['id'] ?? '' });
  const refund = query.data?.refund;
  const title = refund && formatMoney(refund.amountMinorUnits, refund.currency);
  return (
    <SalePage kind="refunds" query={query} title={title} status={refund?.status}>
      {refund && (
        <Card title={texts.one.refunds}>
          <Facts>
            <TextFact name={texts.reason} value={texts.reasons[refund.reason ?? 'none']} />
            <TextFact name={texts.note} value={refund.note} />
            <TimeFact name={texts.created} at={refund.createdAt} />
            <TimeFact name={texts.booked} at={refund.cashFlowAt} />
            <IdFact name={texts.one.payments} kind="payments" ids={[refund.payment]} />
            <IdFact name={texts.one.orders} kind="orders" ids={[refund.order]} />
            <OwnIdFact id={refund.id} />
          </Facts>
        </Card>
      )}
    </SalePage>
  );
}
