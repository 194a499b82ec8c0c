import { fieldLines } from './fields.js';
import { jsonLine } from './printable.js';
import { type Column, layOut } from './table.js';
import { type Line, terminalLine } from './text.js';

/**
 * Writes results to standard output, and everything for people beside them to standard error. Escapes
 * every text that it gets, so that no caller needs to know which are data of others.
 */
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
  line(line: Line, value: object): void;
  /** A result of several lines; with `--json`, `value` in their place. */
  lines(lines: readonly Line[], value: object): void;
  /** One line for people. */
  note(line: Line): void;
}

/** Prints to the standard streams. */
export function createPrinter(json: boolean): Printer {
  const out = (line: string) => process.stdout.write(`${line}\n`);
  const note = (line: Line) => void process.stderr.write(`${terminalLine(line)}\n`);
  const printLines = (lines: readonly Line[], value: object) => {
    if (json) out(jsonLine(value));
    else for (const line of lines) out(terminalLine(line));
  };
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
    line: (line, value) => printLines([line], value),
    lines: printLines,
  };
}
