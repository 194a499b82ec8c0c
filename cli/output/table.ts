import { cut, pad, paint, printable, type Style, terminalLine, textWidth } from './text.js';

/** One column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** The unescaped text of a cell: the table escapes it. */
  readonly text: (row: Row) => string;
  /** Whether a narrow terminal may truncate it: free text, never an id. */
  readonly free?: boolean;
  /** A narrow terminal drops the column with the lowest number first; never one without. */
  readonly spare?: number;
  /** Colours the padded text. */
  readonly style?: (row: Row) => Style;
}

/** Narrower terminals show records instead of a table. */
const narrowest = 70;
const gap = 2;
const leastFree = 10;

/**
 * Lays out `rows` as a table of at most `width` columns, or as records if that is impossible.
 * @param width undefined to truncate nothing, as in a file
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

/** Narrows the widest free column until all fit; undefined if they cannot. */
function fit<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  width: number,
): number[] | undefined {
  if (width < narrowest) return undefined;

  const fitted = [...widths];
  let excess = fitted.reduce((sum, size) => sum + size, (fitted.length - 1) * gap) - width;
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

type Members = Readonly<Record<string, unknown>>;

/** Shows one member of a JSON object, or a dash if it is absent. */
export function member<Row extends Members>(
  name: string,
  {
    title = name.replaceAll('_', ' ').toUpperCase(),
    free = false,
    spare,
  }: { title?: string; free?: boolean; spare?: number } = {},
): Column<Row> {
  return { title, free, ...(spare && { spare }), text: (row) => textOf(row[name]) };
}

/** Shows the status, coloured by good or bad news. */
export function status<Row extends Members>(
  of: (row: Row) => string = (row) => textOf(row['status']),
): Column<Row> {
  return {
    title: 'STATUS',
    text: of,
    style: (row) => colours[of(row)] ?? 'reset',
  };
}

/** Shows a time without milliseconds. */
export function time<Row extends Members>(name: string, title: string): Column<Row> {
  return { title, text: (row) => textOf(row[name]).replace(/\.\d{3}Z$/, 'Z') };
}

/** Shows an amount in minor units with its currency. */
export function amount<Row extends Members>(name: string, title: string): Column<Row> {
  return { title, text: (row) => `${textOf(row[name])} ${textOf(row['currency'])}` };
}

const colours: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = {
  success: 'green',
  active: 'green',
  completed: 'green',
  succeeded: 'green',
  failed: 'red',
  abandoned: 'red',
  inactive: 'yellow',
  pending: 'yellow',
};

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
