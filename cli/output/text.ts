import { styleText } from 'node:util';
import { printable } from './printable.js';

export type Style = Parameters<typeof styleText>[0];

/** A text that was escaped and then coloured. Any other text is data. */
export class Painted {
  constructor(readonly text: string) {}
}

/** One line, or its parts, which two spaces separate. */
export type Line = string | Painted | readonly (string | Painted)[];

/** Escapes `text`, and colours it where standard output is a terminal and NO_COLOR is unset. */
export function paint(style: Style, text: string): Painted {
  return new Painted(styleText(style, printable(text), { stream: process.stdout }));
}

/** Returns a line as the terminal gets it: every text that is not painted escaped. */
export function terminalLine(line: Line): string {
  const parts = typeof line === 'string' || line instanceof Painted ? [line] : line;
  return parts.map((part) => (part instanceof Painted ? part.text : printable(part))).join('  ');
}
