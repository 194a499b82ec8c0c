import type { Column } from './table.js';

type Members = Readonly<Record<string, unknown>>;

/** A column that shows one member of a JSON object; an absent one as a dash. */
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

/** The column `STATUS`, coloured by how good the news is. */
export function status<Row extends Members>(
  of: (row: Row) => string = (row) => textOf(row['status']),
): Column<Row> {
  return {
    title: 'STATUS',
    text: of,
    style: (row) => colours[of(row)] ?? 'reset',
  };
}

/** A column of a time, without the milliseconds. */
export function time<Row extends Members>(name: string, title: string): Column<Row> {
  return { title, text: (row) => textOf(row[name]).replace(/\.\d{3}Z$/, 'Z') };
}

/** A column of an amount in minor units with its currency. */
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
