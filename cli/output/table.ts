import { printable } from './printable.js';
import { paint, type Style, terminalLine } from './text.js';
import { cut, pad, textWidth } from './text-width.js';

/** One column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** Its data as it is: the table escapes it. */
  readonly text: (row: Row) => string;
  /** Whether a narrow terminal may cut it: free text, never an id. */
  readonly free?: boolean;
  /** A narrow terminal leaves it out; the lowest number first. */
  readonly spare?: number;
  /** Colours the padded text. */
  readonly style?: (row: Row) => Style;
}

/** Narrower terminals show records in place of a table. */
const narrowest = 70;
const gap = 2;
const leastFree = 10;

/**
 * Lays out `rows` as a table of at most `width` columns, or as records where that is impossible.
 * @param width undefined where nothing is cut, as in a file
 * @returns lines without line breaks
 */
export function layOut<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width?: number,
): string[] {
  return table(columns, rows, width) ?? records(columns, rows, width ?? 0);
}

function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
): string[] | undefined {
  const cells = rows.map((row) => columns.map((column) => printable(column.text(row))));
  const widths = columns.map(({ title }, place) =>
    Math.max(textWidth(title), ...cells.map((row) => textWidth(row[place] ?? ''))),
  );
  const fitted = width === undefined ? widths : fit(columns, widths, width);
  if (!fitted) {
    const spared = columns.toSorted((one, other) => rank(one) - rank(other))[0];
    if (spared?.spare === undefined) return undefined;
    return table(
      columns.filter((column) => column !== spared),
      rows,
      width,
    );
  }
  const line = (texts: readonly string[], row?: Row) =>
    columns
      .map(({ style }, place) => {
        const size = fitted[place] ?? 0;
        const text = cut(texts[place] ?? '', size);
        const padded = place === columns.length - 1 ? text : pad(text, size);
        return row !== undefined && style ? terminalLine(paint(style(row), padded)) : padded;
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    ...cells.map((texts, place) => line(texts, rows[place])),
  ];
}

function rank<Row>({ spare = Infinity }: Column<Row>): number {
  return spare;
}

/** Takes from the widest free column until all fit; undefined when they cannot. */
function fit<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  width: number,
): number[] | undefined {
  if (width < narrowest) return undefined;
  const fitted = [...widths];
  let excess = fitted.reduce((sum, each) => sum + each, (fitted.length - 1) * gap) - width;
  while (excess > 0) {
    const candidates = columns
      .map(({ free }, place) => ({ free, place, size: fitted[place] ?? 0 }))
      .filter(({ free, size }) => free && size > leastFree)
      .sort((one, other) => other.size - one.size);
    const [widest] = candidates;
    if (!widest) return undefined;
    fitted[widest.place] = widest.size - 1;
    excess -= 1;
  }
  return fitted;
}

function records<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): string[] {
  const titles = Math.max(...columns.map(({ title }) => textWidth(title)));
  return rows.flatMap((row, place) => [
    ...(place > 0 ? [''] : []),
    ...columns.map(({ title, text, free, style }) => {
      const value = printable(text(row));
      const shown = free ? cut(value, Math.max(leastFree, width - titles - gap)) : value;
      const painted = style ? terminalLine(paint(style(row), shown)) : shown;
      return `${pad(title, titles)}${' '.repeat(gap)}${painted}`.trimEnd();
    }),
  ]);
}
