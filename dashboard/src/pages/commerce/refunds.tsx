import { useLocation, useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Card, Facts } from '../../components/card.js';
import { refundDocument, refundsDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { formatMoney } from './money.js';
import { NumberedPager, SaleFilters, SaleList } from './sale-list.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact } from './sale-page.js';
import { pageNumber, readSaleFilter, saleVariables } from './sale-paths.js';

const texts = text.commerce;

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
    title: texts.reasons[reason ?? 'none'],
  }));

  return (
    <SaleList
      kind="refunds"
      query={query}
      rows={rows}
      isPartial={page > 1 || Object.keys(filter).length > 0}
      pager={<NumberedPager kind="refunds" pagination={list?.pagination} />}
    >
      <SaleFilters kind="refunds" filter={filter} error={query.error} />
    </SaleList>
  );
}

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
