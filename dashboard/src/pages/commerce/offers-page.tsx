import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { offersDocument } from '../../generated/documents.js';
import { NumberedPager, SaleList } from './sale-list.js';
import { pageNumber } from './sale-paths.js';

/** The offers of the account. */
export function OffersPage() {
  const page = pageNumber(useLocation().query['page']);
  const query = useQuery(offersDocument, { page });
  const list = query.data?.offers;
  const rows = list?.data.map(({ id, title, recipientEmail, status, totals, ...offer }) => ({
    id,
    title,
    status,
    detail: recipientEmail,
    minorUnits: totals.totalMinorUnits,
    currency: offer.currency,
    at: offer.createdAt,
  }));

  return (
    <SaleList
      kind="offers"
      query={query}
      rows={rows}
      part={page > 1}
      pager={<NumberedPager kind="offers" pagination={list?.pagination} />}
    />
  );
}
