import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Buyer, LineItem, Totals } from '../commerce/line-items.js';
import { notFound } from '../errors.js';
import type { DomainRules } from '../transaction/rules.js';
import type { Read, Statement } from '../transaction/tx.js';
import { isId } from '../values/id.js';

/** The content of the PDF of an invoice or a credit note. */
export interface InvoiceDocument {
  /** The id of the account that owns the document. */
  readonly account: string;
  readonly type: 'invoice' | 'credit_note';
  readonly number: string;
  /** The number of the invoice that a credit note corrects; null for an invoice. */
  readonly corrects: string | null;
  readonly issuedAt: Date;
  /** The name of the account that sells. */
  readonly seller: string;
  readonly buyer: Buyer;
  readonly orderId: string;
  readonly paymentId: string;
  readonly refundId: string | null;
  /** Empty for a credit note, whose refund is of an amount and not of line items. */
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
}

const findStatement: Statement = {
  name: 'invoice-document',
  text: `
    select i.account_id as account, i.type, i.number, i.issued_at as "issuedAt", i.buyer, i.order_id as "orderId",
           i.payment_id as "paymentId", i.refund_id as "refundId", a.name as seller,
           case i.type when 'invoice' then o.line_items else '[]' end as "lineItems",
           (select b.number from invoice b
             where b.payment_id = i.payment_id and b.type = 'invoice'
               and i.type = 'credit_note') as corrects,
           json_build_object('currency', i.currency,
             'subtotalMinorUnits', i.subtotal_minor_units,
             'discountMinorUnits', i.discount_minor_units,
             'shippingMinorUnits', i.shipping_minor_units,
             'taxMinorUnits', i.tax_minor_units,
             'totalMinorUnits', i.total_minor_units) as totals
      from (select * from invoice where id between $1 and $1 order by id limit 1) i
     cross join lateral (
       select * from "order" where id between i.order_id and i.order_id order by id limit 1) o
     cross join lateral (select * from account where id = i.account_id and erased_at is null limit 1) a`,
};

/**
 * Returns the document behind a `pdf_url`.
 * @param tag proves that the service made the URL, so the reader needs no credential
 * @throws DomainError not_found
 */
export async function getInvoiceDocument(
  read: Read,
  id: string,
  tag: string,
): Promise<InvoiceDocument> {
  const verified = isId('inv', id) && verifyDocumentTag(read.rules, id, tag);
  const [document] = verified ? await read.sql<InvoiceDocument>(findStatement, [id]) : [];
  if (!document) throw notFound('document');
  return document;
}

/**
 * Returns the URL of an invoice's PDF. Anyone with the URL may read the document without a credential.
 * The URL holds a tag of 128 bits, which the service makes of the id under its newest secret key.
 */
export function documentUrl(rules: Pick<DomainRules, 'baseUrl' | 'linkKeys'>, id: string): string {
  const [newest] = rules.linkKeys;
  return `${rules.baseUrl}/documents/${id}/${tagOf(newest, id).toString('hex')}.pdf`;
}

/** Says whether {@link documentUrl} made `tag` for this document, under any key. */
export function verifyDocumentTag(
  { linkKeys }: Pick<DomainRules, 'linkKeys'>,
  id: string,
  tag: string,
): boolean {
  const provided = Buffer.from(tag, 'hex');
  // Node's decoder stops at a character that is no digit. Accept only the exact text that documentUrl made.
  if (provided.toString('hex') !== tag || provided.length !== tagLength) return false;
  return linkKeys.some((key) => timingSafeEqual(provided, tagOf(key, id)));
}

const tagLength = 16;

function tagOf(key: Buffer, id: string): Buffer {
  return createHmac('sha256', key).update(`document ${id}`).digest().subarray(0, tagLength);
}
