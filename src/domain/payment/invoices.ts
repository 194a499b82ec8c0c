import { entryList } from '../commerce/entry-list.js';
import type { Buyer, Totals } from '../commerce/line-items.js';
import type { Read } from '../transaction/tx.js';
import { documentUrl } from './invoice-document.js';
import { Invoice } from './ledger.entity.js';
import { searchable } from './payments.js';

/** An invoice or a credit note as its account sees it. */
export interface InvoiceView {
  readonly object: 'invoice';
  readonly id: string;
  readonly number: string;
  readonly type: Invoice['type'];
  readonly order: string;
  readonly payment: string;
  /** The id of a credit note's refund; null for an invoice. */
  readonly refund: string | null;
  readonly currency: string;
  readonly totals: Totals;
  readonly buyer: Buyer;
  readonly issuedAt: Date;
  readonly createdAt: Date;
  /** The URL of its PDF; anyone with the URL may read it. */
  readonly pdfUrl: string;
}

/** The invoices and credit notes of an account. */
export const invoices = searchable(
  entryList(Invoice, 'inv', 'invoice', (read) => (invoice) => invoiceView(read, invoice)),
  {
    ofPayment: 'select position from invoice where payment_id = s.id',
    ofDocument: 'select s.position',
  },
);

/** Shows an invoice as its account sees it. */
export function invoiceView({ rules }: Pick<Read, 'rules'>, invoice: Invoice): InvoiceView {
  const { id, number, type, totals, buyer, issuedAt, createdAt } = invoice;
  return {
    object: 'invoice',
    id,
    number,
    type,
    totals,
    buyer,
    issuedAt,
    createdAt,
    order: invoice.orderId,
    payment: invoice.paymentId,
    refund: invoice.refundId,
    currency: totals.currency,
    pdfUrl: documentUrl(rules, id),
  };
}
