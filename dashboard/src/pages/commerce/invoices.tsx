import { useLocation, useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Card, Facts } from '../../components/card.js';
import { invoiceDocument, invoicesDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { NumberedPager, SaleFilters, SaleList } from './sale-list.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact, TotalsCard } from './sale-page.js';
import { pageNumber, readSaleFilter, saleVariables } from './sale-paths.js';

const texts = text.commerce;

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
    title: `${texts.documents[type]} ${number}`,
    detail: buyer.name ?? buyer.email,
  }));

  return (
    <SaleList
      kind="invoices"
      query={query}
      rows={rows}
      isPartial={page > 1 || Object.keys(filter).length > 0}
      pager={<NumberedPager kind="invoices" pagination={list?.pagination} />}
    >
      <SaleFilters kind="invoices" filter={filter} error={query.error} />
    </SaleList>
  );
}

/** One invoice or credit note, with its PDF. */
export function InvoicePage() {
  const query = useQuery(invoiceDocument, { id: useRoute().params['id'] ?? '' });
  const invoice = query.data?.invoice;
  return (
    <SalePage
      kind="invoices"
      query={query}
      title={invoice && `${texts.documents[invoice.type]} ${invoice.number}`}
      actions={
        invoice && (
          <a class="button button-primary" href={invoice.pdfUrl} target="_blank" rel="noreferrer">
            {texts.pdf}
          </a>
        )
      }
    >
      {invoice && (
        <>
          <Card title={texts.documents[invoice.type]}>
            <Facts>
              <TextFact name={texts.buyer} value={invoice.buyer.name} />
              <TextFact name={texts.email} value={invoice.buyer.email} />
              <TextFact name={texts.country} value={invoice.buyer.country} />
              <TimeFact name={texts.issued} at={invoice.issuedAt} utc />
              <IdFact name={texts.one.orders} kind="orders" ids={[invoice.order]} />
              <IdFact name={texts.one.payments} kind="payments" ids={[invoice.payment]} />
              <IdFact name={texts.one.refunds} kind="refunds" ids={[invoice.refund]} />
              <OwnIdFact id={invoice.id} />
            </Facts>
          </Card>
          <TotalsCard totals={invoice.totals} />
        </>
      )}
    </SalePage>
  );
}
