import { formatAmount } from '../domain/commerce/money.js';
import type { LineItem } from '../domain/commerce/line-items.js';
import { type Cell, type PageLayout, textSize } from './page-layout.js';

const headings = ['Quantity', 'Unit price', 'Discount', 'Tax', 'Total'] as const;

/** Minimum width of the names, as a share of the page width. */
const minNameShare = 0.3;

/** Space between columns, in points. */
const columnGap = 12;

/** The lines of each cell in a row, except the name. */
type Row = readonly (readonly string[])[];

/** Draws the line items. Numbers never wrap: their column, and if necessary their size, adapts. */
export function drawItemTable(
  layout: PageLayout,
  items: readonly LineItem[],
  currency: string,
): void {
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
