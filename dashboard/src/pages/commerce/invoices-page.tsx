import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { invoicesDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { SaleFilters } from './sale-filters.js';
import { NumberedPager, SaleList } from './sale-list.js';
import { pageNumber, readSaleFilter, saleVariables } from './sale-paths.js';

/** The invoices and credit notes of the account. */
export function InvoicesPage() {
  const { query: url } = useLocation();
  const page = pageNumber(url['page']);
  const filter = readSaleFilter('invoices', url);
  const query = useQuery(invoicesDocument, saleVariables(filter, page));
  const list = query.data?.invoices;
  const rows = list?.data.map(({ id, number, type, buyer, currency, totals, issuedAt }) => ({
    id,
    currency,
    minorUnits: totals.totalMinorUnits,
    at: issuedAt,
    title: `${text.commerce.documents[type]} ${number}`,
    detail: buyer.name ?? buyer.email,
  }));

  return (
    <SaleList
      kind="invoices"
      query={query}
      rows={rows}
      part={page > 1 || Object.keys(filter).length > 0}
      pager={<NumberedPager kind="invoices" pagination={list?.pagination} />}
    >
      <SaleFilters kind="invoices" filter={filter} error={query.error} />
    </SaleList>
  );
}
