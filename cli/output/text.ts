import { styleText } from 'node:util';

/**
 * Control characters, and characters that reorder or hide text: direction marks, zero-width spaces, line
 * separators, tags, and lone surrogates.
 */
const unprintable =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}\u00ad\u180e\u200b-\u200f\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Replaces each control and direction character by an escape such as `\u001b`, so that text from
 * others cannot control the terminal.
 */
export function printable(text: string): string {
  return text.replace(unprintable, escaped);
}

/** Prints JSON on one line, safe for a terminal. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** Prints indented JSON line by line, safe for a terminal. */
export function jsonLines(value: unknown): string[] {
  return JSON.stringify(value, null, 2).split('\n').map(printable);
}

/** Escapes as JSON does: a character beyond U+FFFF becomes two escapes. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

export type Style = Parameters<typeof styleText>[0];

/** A text that is already escaped and coloured. Any other text is escaped before it is printed. */
export class Painted {
  constructor(readonly text: string) {}
}

/** One line, or its parts, which are joined by two spaces. */
export type Line = string | Painted | readonly (string | Painted)[];

/** Escapes `text`, and colours it if standard output is a terminal and NO_COLOR is not set. */
export function paint(style: Style, text: string): Painted {
  return new Painted(styleText(style, printable(text), { stream: process.stdout }));
}

/** Joins the parts of a line and escapes those that are not painted. */
export function terminalLine(line: Line): string {
  const parts = typeof line === 'string' || line instanceof Painted ? [line] : line;
  return parts.map((part) => (part instanceof Painted ? part.text : printable(part))).join('  ');
}

/** Characters that take two columns of a terminal. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const combining = /^[\p{Mn}\p{Me}]$/u;

/** Returns the number of columns that `text` takes on a terminal. */
export function textWidth(text: string): number {
  if (/^\p{ASCII}*$/u.test(text)) return text.length;
  return Array.from(text).reduce((width, character) => width + widthOf(character), 0);
}

/** Truncates `text` to `width` columns, the last of which is then `…`. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Pads `text` with spaces to `width` columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function widthOf(character: string): number {
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
