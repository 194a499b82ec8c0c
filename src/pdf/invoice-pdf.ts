import { formatAmount } from '../domain/commerce/money.js';
import type { InvoiceDocument } from '../domain/payment/invoice-document.js';
import type { HanRegion } from './font-folder.js';
import type { FontSet } from './font-set.js';
import { drawItemTable } from './item-table.js';
import { type Cell, PageLayout } from './page-layout.js';
import { isolate } from './text-direction.js';
import { regionOf } from './text-lines.js';

const titles = { invoice: 'Invoice', credit_note: 'Credit note' } as const;

/** The form of Han characters in the buyer's country. */
const regions: Readonly<Record<string, HanRegion>> = {
  JP: 'jp',
  KR: 'kr',
  KP: 'kr',
  TW: 'tc',
  HK: 'hk',
  MO: 'hk',
};

/**
 * Renders an invoice or a credit note as PDF: A4, with embedded fonts. The same document always
 * gives the same bytes.
 */
export function renderInvoice(document: InvoiceDocument, fonts: FontSet): Promise<Buffer> {
  const { type, number, issuedAt, seller, lineItems, totals } = document;
  const title = `${titles[type]} ${number}`;
  const layout = new PageLayout({ title, at: issuedAt, fonts, region: regionFor(document) });
  const half = layout.width / 2;
  layout.row(
    [
      { text: seller, width: half },
      { text: title, width: half, align: 'right' },
    ],
    { bold: true, size: 14 },
  );

  layout.space(14);
  drawParties(layout, document);
  layout.space(14);
  if (lineItems.length > 0) drawItemTable(layout, lineItems, totals.currency);
  drawTotals(layout, document);

  return layout.finish(`${title} · ${isolate(seller)}`);
}

function regionFor({ seller, buyer, lineItems }: InvoiceDocument): HanRegion {
  const names = [buyer.name ?? '', seller, ...lineItems.map(({ product }) => product.name)];
  return regionOf(names.join('')) ?? regions[buyer.country ?? ''] ?? 'sc';
}

function drawParties(layout: PageLayout, document: InvoiceDocument): void {
  const { buyer, issuedAt, orderId, paymentId, refundId, corrects } = document;
  const left = [
    ...(buyer.name === null ? [] : [buyer.name]),
    buyer.email,
    ...(buyer.country === null ? [] : [buyer.country]),
  ];

  const right = [
    `Date: ${issuedAt.toISOString().slice(0, 10)} (UTC)`,
    ...(corrects === null ? [] : [`Corrects invoice: ${corrects}`]),
    `Order: ${orderId}`,
    `Payment: ${paymentId}`,
    ...(refundId === null ? [] : [`Refund: ${refundId}`]),
  ];

  const width = layout.width / 2;
  layout.row([{ text: 'Billed to', width }], { bold: true });

  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    layout.row([
      // Enough lines for the longest e-mail address.
      { text: left[index] ?? '', width, maxLines: 6 },
      { text: right[index] ?? '', width, align: 'right' },
    ]);
  }
}

function drawTotals(layout: PageLayout, { type, totals }: InvoiceDocument): void {
  const { currency, discountMinorUnits, shippingMinorUnits, taxMinorUnits } = totals;
  const rows: [string, number][] = [
    ['Subtotal', totals.subtotalMinorUnits],
    ...(discountMinorUnits > 0 ? [['Discount', -discountMinorUnits] as [string, number]] : []),
    ...(shippingMinorUnits > 0 ? [['Shipping', shippingMinorUnits] as [string, number]] : []),
    ['Tax', taxMinorUnits],
  ];

  const rowOf = (label: string, minorUnits: number): readonly Cell[] => [
    { text: label, width: 0.55 * layout.width, align: 'right' },
    { text: formatAmount(minorUnits, currency), width: 0.45 * layout.width, align: 'right' },
  ];

  const total = type === 'invoice' ? 'Total paid' : 'Total refunded';
  layout.rows([
    ...rows.map(([label, minorUnits]) => ({ cells: rowOf(label, minorUnits) })),
    { cells: rowOf(total, totals.totalMinorUnits), style: { bold: true, size: 11 } },
  ]);
}
