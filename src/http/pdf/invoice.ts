import type { LineItem } from '../../domain/commerce/line-items.js';
import { formatAmount } from '../../domain/commerce/money.js';
import type { InvoiceDocument } from '../../domain/payment/invoice-document.js';
import type { HanRegion, FontSet } from './fonts.js';
import { type Cell, PageLayout, textSize } from './page-layout.js';
import { isolate, regionOf } from './text-lines.js';

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

const headings = ['Quantity', 'Unit price', 'Discount', 'Tax', 'Total'] as const;

/** Minimum width of the names, as a share of the page width. */
const minNameShare = 0.3;

/** Space between columns, in points. */
const columnGap = 12;

/** The lines of each cell in a row, except the name. */
type Row = readonly (readonly string[])[];

/** Draws the line items. Numbers never wrap: their column, and if necessary their size, adapts. */
function drawItemTable(layout: PageLayout, items: readonly LineItem[], currency: string): void {
  const availableWidth = layout.width * (1 - minNameShare) - headings.length * columnGap;
  let rows: Row[] = items.map((item) => numbersOf(item, currency, ' '));
  if (sum(widthsOf(layout, rows)) > availableWidth) {
    rows = items.map((item) => numbersOf(item, currency, '\n'));
  }

  const naturalWidths = widthsOf(layout, rows);
  const scale = Math.min(1, availableWidth / sum(naturalWidths));
  const widths = naturalWidths.map((width) => width * scale + columnGap);
  const cellsOf = (name: string, texts: Row): Cell[] => [
    { text: name, width: layout.width - sum(widths) },
    ...texts.map((text, index): Cell => {
      return { text, width: widths[index] ?? 0, align: 'right', size: textSize * scale };
    }),
  ];

  const drawHeader = () => {
    const texts = headings.map((heading) => [heading]);
    layout.row(cellsOf('Item', texts), { bold: true });
    layout.line();
  };

  drawHeader();
  items.forEach(({ product }, index) =>
    layout.row(cellsOf(product.name, rows[index] ?? []), {}, drawHeader),
  );
  layout.line();
}

function numbersOf(item: LineItem, currency: string, separator: ' ' | '\n'): Row {
  const { quantity, unitAmountMinorUnits, taxPercentage } = item;
  const amount = (minorUnits: number) => formatAmount(minorUnits, currency);
  const tax = `${amount(item.taxMinorUnits)}${separator}(${taxPercentage}\u00a0%)`;
  return [
    [quantity.toLocaleString('en')],
    [amount(unitAmountMinorUnits)],
    [amount(-item.discountMinorUnits)],
    tax.split('\n'),
    [amount(item.totalMinorUnits)],
  ];
}

/** Minimum width of each column for its heading and longest line, in points. */
function widthsOf(layout: PageLayout, rows: readonly Row[]): number[] {
  return headings.map((heading, column) => {
    const lines = rows.flatMap((row) => row[column] ?? []);
    const bold = layout.widthOf(heading, { bold: true });
    return Math.max(bold, ...lines.map((line) => layout.widthOf(line)));
  });
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
