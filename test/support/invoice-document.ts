import type { InvoiceDocument } from '../../src/domain/payment/invoice-document.js';
import { type LineItem, Totals } from '../../src/domain/commerce/line-items.js';

/** The contents of an invoice; `changes` override them. */
export function makeDocument(changes: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const totals = Object.assign(new Totals(), {
    currency: 'EUR',
    subtotalMinorUnits: 300,
    discountMinorUnits: 0,
    shippingMinorUnits: 0,
    taxMinorUnits: 0,
    totalMinorUnits: 300,
  });
  return {
    account: 'acc_1',
    type: 'invoice',
    number: 'INV-000001',
    corrects: null,
    issuedAt: new Date('2026-11-21T12:00:00.000Z'),
    seller: 'Tea Ltd',
    buyer: { email: 'buyer@example.com', name: null, country: null },
    orderId: 'ord_1',
    paymentId: 'pay_1',
    refundId: null,
    lineItems: [],
    totals,
    ...changes,
  };
}

/** A line item with this name; `changes` override it. */
export function makeItem(name: string, changes: Partial<LineItem> = {}): LineItem {
  return {
    product: { id: 'prd_1', name },
    quantity: 1,
    unitAmountMinorUnits: 1_900,
    discountMinorUnits: 0,
    taxMinorUnits: 361,
    taxPercentage: '19.00',
    totalMinorUnits: 2_261,
    ...changes,
  };
}
