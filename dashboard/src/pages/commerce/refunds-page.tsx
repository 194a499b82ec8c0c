import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { refundsDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { pageNumber } from './sale-paths.js';
import { NumberedPager, SaleList } from './sale-list.js';

/** The refunds of the account. */
export function RefundsPage() {
  const page = pageNumber(useLocation().query['page']);
  const query = useQuery(refundsDocument, { page });
  const list = query.data?.refunds;
  const rows = list?.data.map(({ id, status, reason, amountMinorUnits, ...refund }) => ({
    ...{ id, status, detail: id, minorUnits: amountMinorUnits },
    ...{ currency: refund.currency, at: refund.createdAt },
    title: text.commerce.reasons[reason ?? 'none'],
  }));
  return (
    <SaleList
      kind="refunds"
      query={query}
      rows={rows}
      part={page > 1}
      pager={<NumberedPager kind="refunds" pagination={list?.pagination} />}
    />
  );
}
