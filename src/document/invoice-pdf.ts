import { amountText } from '../domain/commerce/amount-text.js';
import type { InvoiceDocument } from '../domain/commerce/invoice-document.js';
import type { LineItem } from '../domain/commerce/line-item.js';
import { type Cell, Paper } from './paper.js';

const titles = { invoice: 'Invoice', credit_note: 'Credit note' } as const;

/** Shares of the width of the sheet; together 1. */
const columns = [0.28, 0.12, 0.15, 0.13, 0.15, 0.17] as const;
const headings = ['Item', 'Quantity', 'Unit price', 'Discount', 'Tax', 'Total'] as const;

/** Sets an invoice or a credit note as PDF: A4, fonts embedded, the same bytes every time. */
export function renderInvoice(document: InvoiceDocument): Promise<Buffer> {
  const { type, number, issuedAt, seller } = document;
  const title = `${titles[type]} ${number}`;
  const paper = new Paper(title, issuedAt);
  const half = paper.width / 2;
  paper.row(
    [
      { text: seller, width: half },
      { text: title, width: half, align: 'right' },
    ],
    { bold: true, size: 14 },
  );
  paper.space(14);
  setParties(paper, document);
  paper.space(14);
  if (document.lineItems.length > 0) setItems(paper, document);
  setTotals(paper, document);
  return paper.finish(`${seller} · ${title}`);
}

function setParties(paper: Paper, document: InvoiceDocument): void {
  const { buyer, issuedAt, orderId, paymentId, refundId, corrects } = document;
  const left = [
    ...(buyer.name === null ? [] : [buyer.name]),
    buyer.email,
    ...(buyer.country === null ? [] : [buyer.country]),
  ];
  const right = [
    `Date: ${issuedAt.toISOString().slice(0, 10)}`,
    ...(corrects === null ? [] : [`Corrects invoice: ${corrects}`]),
    `Order: ${orderId}`,
    `Payment: ${paymentId}`,
    ...(refundId === null ? [] : [`Refund: ${refundId}`]),
  ];
  const width = paper.width / 2;
  paper.row([{ text: 'Billed to', width }], { bold: true });
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    paper.row([
      { text: left[index] ?? '', width },
      { text: right[index] ?? '', width, align: 'right' },
    ]);
  }
}

function setItems(paper: Paper, { lineItems, totals: { currency } }: InvoiceDocument): void {
  const head = () => {
    paper.row(cellsOf(paper.width, headings), { bold: true });
    paper.line();
  };
  head();
  for (const item of lineItems) {
    paper.row(cellsOf(paper.width, itemTexts(item, currency)), {}, head);
  }
  paper.line();
}

function itemTexts(item: LineItem, currency: string): string[] {
  const { product, quantity, unitAmountMinorUnits, taxPercentage } = item;
  const amount = (minorUnits: number) => amountText(minorUnits, currency);
  return [
    product.name,
    quantity.toLocaleString('en'),
    amount(unitAmountMinorUnits),
    amount(-item.discountMinorUnits),
    `${amount(item.taxMinorUnits)} (${taxPercentage} %)`,
    amount(item.totalMinorUnits),
  ];
}

function cellsOf(whole: number, texts: readonly string[]): Cell[] {
  return columns.map((share, index) => ({
    text: texts[index] ?? '',
    width: share * whole,
    align: index === 0 ? 'left' : 'right',
  }));
}

function setTotals(paper: Paper, { type, totals }: InvoiceDocument): void {
  const { currency, discountMinorUnits, shippingMinorUnits, taxMinorUnits } = totals;
  const rows: [string, number][] = [
    ['Subtotal', totals.subtotalMinorUnits],
    ...(discountMinorUnits > 0 ? [['Discount', -discountMinorUnits] as [string, number]] : []),
    ...(shippingMinorUnits > 0 ? [['Shipping', shippingMinorUnits] as [string, number]] : []),
    ['Tax', taxMinorUnits],
  ];
  const set = (label: string, minorUnits: number, bold = false) =>
    paper.row(
      [
        { text: label, width: 0.55 * paper.width, align: 'right' },
        { text: amountText(minorUnits, currency), width: 0.45 * paper.width, align: 'right' },
      ],
      { bold, size: bold ? 11 : 9 },
    );
  for (const [label, minorUnits] of rows) set(label, minorUnits);
  set(type === 'invoice' ? 'Total paid' : 'Total refunded', totals.totalMinorUnits, true);
}
