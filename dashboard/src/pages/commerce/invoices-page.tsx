import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { invoicesDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { pageNumber } from './sale-paths.js';
import { NumberedPager, SaleList } from './sale-list.js';

/** The invoices and credit notes of the account. */
export function InvoicesPage() {
  const page = pageNumber(useLocation().query['page']);
  const query = useQuery(invoicesDocument, { page });
  const list = query.data?.invoices;
  const rows = list?.data.map(({ id, number, type, buyer, currency, totals, issuedAt }) => ({
    ...{ id, currency, minorUnits: totals.totalMinorUnits, at: issuedAt },
    title: `${text.commerce.documents[type]} ${number}`,
    detail: buyer.name ?? buyer.email,
  }));
  return (
    <SaleList
      kind="invoices"
      query={query}
      rows={rows}
      part={page > 1}
      pager={<NumberedPager kind="invoices" pagination={list?.pagination} />}
    />
  );
}
