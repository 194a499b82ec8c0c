import type { Read } from '../tx.js';
import { entryList, getEntry, listEntries } from './entry-list.js';
import { documentUrl } from './document-url.js';
import { Invoice } from './invoice.entity.js';
import type { Buyer } from './line-item.js';
import type { NumberedPage, NumberedRequest } from './numbered-page.js';
import type { Totals } from './totals.entity.js';

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

const invoices = entryList(Invoice, 'inv', 'invoice');

/**
 * Returns a page of the account's invoices and credit notes, newest first.
 * @throws DomainError validation_failed
 */
export async function listInvoices(
  read: Read,
  account: string,
  request: NumberedRequest,
): Promise<NumberedPage<InvoiceView>> {
  const { data, pagination } = await listEntries(read, account, invoices, request);
  return { data: data.map((invoice) => invoiceView(read, invoice)), pagination };
}

/** @throws DomainError not_found */
export async function getInvoice(read: Read, account: string, id: string): Promise<InvoiceView> {
  return invoiceView(read, await getEntry(read, account, invoices, id));
}

/** Shows an invoice as its account sees it. */
export function invoiceView({ rules }: Pick<Read, 'rules'>, invoice: Invoice): InvoiceView {
  const { id, number, type, totals, buyer, issuedAt, createdAt } = invoice;
  return {
    object: 'invoice',
    ...{ id, number, type, totals, buyer, issuedAt, createdAt },
    order: invoice.orderId,
    payment: invoice.paymentId,
    refund: invoice.refundId,
    currency: totals.currency,
    pdfUrl: documentUrl(rules, id),
  };
}
