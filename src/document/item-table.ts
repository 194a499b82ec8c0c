import { amountText } from '../domain/commerce/amount-text.js';
import type { LineItem } from '../domain/commerce/line-item.js';
import { type Cell, type Paper, textSize } from './paper.js';

const headings = ['Quantity', 'Unit price', 'Discount', 'Tax', 'Total'] as const;

/** What the names get at least, as a share of the width of the sheet. */
const leastForNames = 0.3;

/** Room between the columns, in points. */
const columnGap = 12;

/** The lines of each cell of a row, but of the name. */
type Row = readonly (readonly string[])[];

/** Sets the line items. A number never breaks: its column, and if need be its size, follow it. */
export function setItems(paper: Paper, items: readonly LineItem[], currency: string): void {
  const room = paper.width * (1 - leastForNames) - headings.length * columnGap;
  let rows: Row[] = items.map((item) => numbersOf(item, currency, ' '));
  if (sum(widthsOf(paper, rows)) > room) {
    rows = items.map((item) => numbersOf(item, currency, '\n'));
  }
  const natural = widthsOf(paper, rows);
  const scale = Math.min(1, room / sum(natural));
  const widths = natural.map((width) => width * scale + columnGap);
  const cellsOf = (name: string, texts: Row): Cell[] => [
    { text: name, width: paper.width - sum(widths) },
    ...texts.map((text, index): Cell => {
      return { text, width: widths[index] ?? 0, align: 'right', size: textSize * scale };
    }),
  ];
  const head = () => {
    const texts = headings.map((heading) => [heading]);
    paper.row(cellsOf('Item', texts), { bold: true });
    paper.line();
  };
  head();
  items.forEach(({ product }, index) =>
    paper.row(cellsOf(product.name, rows[index] ?? []), {}, head),
  );
  paper.line();
}

function numbersOf(item: LineItem, currency: string, separator: ' ' | '\n'): Row {
  const { quantity, unitAmountMinorUnits, taxPercentage } = item;
  const amount = (minorUnits: number) => amountText(minorUnits, currency);
  const tax = `${amount(item.taxMinorUnits)}${separator}(${taxPercentage}\u00a0%)`;
  return [
    [quantity.toLocaleString('en')],
    [amount(unitAmountMinorUnits)],
    [amount(-item.discountMinorUnits)],
    tax.split('\n'),
    [amount(item.totalMinorUnits)],
  ];
}

/** What each column needs to hold its heading and its longest line, in points. */
function widthsOf(paper: Paper, rows: readonly Row[]): number[] {
  return headings.map((heading, column) => {
    const lines = rows.flatMap((row) => row[column] ?? []);
    const bold = paper.widthOf(heading, { bold: true });
    return Math.max(bold, ...lines.map((line) => paper.widthOf(line)));
  });
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
