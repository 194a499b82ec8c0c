import { useRoute } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Card, Facts } from '../../components/card.js';
import { invoiceDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { IdFact, OwnIdFact, SalePage, TextFact, TimeFact } from './sale-page.js';
import { TotalsCard } from './totals-card.js';

const texts = text.commerce;

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
