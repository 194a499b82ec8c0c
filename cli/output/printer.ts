import { styleText } from 'node:util';
import { fieldLines } from './fields.js';
import { jsonLine } from './printable.js';
import { type Column, layOut } from './table.js';

type Style = Parameters<typeof styleText>[0];

/** Writes results to standard output, and everything for people beside them to standard error. */
export interface Printer {
  readonly json: boolean;
  /** A result of one value: its fields, or one line of JSON. */
  value(value: object): void;
  /** A result of many values: a table, or one line of JSON for each, which `toJson` may change. */
  rows<Row extends object>(
    columns: readonly Column<Row>[],
    rows: readonly Row[],
    toJson?: (row: Row) => object,
  ): void;
  /** One line of a result; with `--json`, `value` in its place. */
  line(text: string, value: object): void;
  /** One line for people. */
  note(text: string): void;
}

/** Colours `text` where standard output is a terminal and NO_COLOR is unset. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Prints to the standard streams. */
export function createPrinter(json: boolean): Printer {
  const out = (line: string) => process.stdout.write(`${line}\n`);
  const note = (text: string) => void process.stderr.write(`${text}\n`);
  return {
    json,
    note,
    value(value) {
      if (json) out(jsonLine(value));
      else for (const line of fieldLines(value)) out(line);
    },
    rows(columns, rows, toJson = (row) => row) {
      if (json) for (const row of rows) out(jsonLine(toJson(row)));
      else if (rows.length === 0) note('None.');
      else {
        const width = process.stdout.isTTY ? process.stdout.columns : undefined;
        for (const line of layOut(columns, rows, width)) out(line);
      }
    },
    line(text, value) {
      out(json ? jsonLine(value) : text);
    },
  };
}
