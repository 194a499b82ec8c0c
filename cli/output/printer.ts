import { type Column, layOut } from './table.js';
import { jsonLine, type Line, pad, printable, terminalLine, textWidth } from './text.js';

/**
 * Writes results to standard output and notes to standard error. Escapes every text, so that no caller
 * needs to know which texts come from others.
 */
export interface Printer {
  readonly json: boolean;
  /** Prints one value: its fields, or one line of JSON. */
  value(value: object): void;
  /** Prints a list: a table, or one line of JSON per row, which `toJson` may change. */
  rows<Row extends object>(
    columns: readonly Column<Row>[],
    rows: readonly Row[],
    toJson?: (row: Row) => object,
  ): void;
  /** Prints one line; with `--json`, `value` instead. */
  line(line: Line, value: object): void;
  /** Prints several lines; with `--json`, `value` instead. */
  lines(lines: readonly Line[], value: object): void;
  /** Tells the user something that is not a result. */
  note(line: Line): void;
}

/** Creates a printer for the standard streams. */
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

/** Lays out the members of a JSON value as lines `name  value`; nested ones are indented. */
export function fieldLines(value: object, indent = ''): string[] {
  const entries = Object.entries(value);
  const width = Math.max(0, ...entries.map(([name]) => textWidth(printable(name))));
  return entries.flatMap(([name, member]: [string, unknown]) => {
    const title = `${indent}${pad(printable(name), width)}`;
    if (typeof member !== 'object' || member === null) return [`${title}  ${plain(member)}`];
    if (Array.isArray(member) && member.every((item) => typeof item !== 'object')) {
      return [`${title}  ${member.length === 0 ? '–' : member.map(plain).join(', ')}`];
    }
    const lines = fieldLines(member, `${indent}  `);
    return lines.length === 0 ? [`${title}  –`] : [title.trimEnd(), ...lines];
  });
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

/**
 * Names members as `/v1` does: `createdAt` becomes `created_at`. For results of `cli/documents`, which
 * contain no objects with names chosen by users.
 */
export function snakeNames(value: object): object {
  return renamed(value) as object;
}

function renamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]: [string, unknown]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    renamed(member),
  ]);
  return Object.fromEntries(entries) as object;
}
