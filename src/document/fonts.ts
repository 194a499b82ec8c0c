import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (address: string) => readFileSync(fileURLToPath(address));

/**
 * The fonts of documents, read once: DejaVu has Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew,
 * Arabic and the signs of currencies. A document embeds the letters that it uses. A word of Hebrew or
 * Arabic is set from right to left, but pdfkit sets words from left to right, whatever their script.
 */
export const fonts = {
  regular: read(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  bold: read(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
} as const;

/** Stands for a character that no font of ours has. */
const missing = '\u25a1';

/** What shows nothing by itself: joiners, variation selectors, marks of direction. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A text as a font can show it: on one line, and with {@link missing} for each character that the
 * font lacks (Chinese, Japanese and Korean letters, emoji). What was written stands in the API.
 */
export function showable(text: string, has: (codePoint: number) => boolean): string {
  const line = text.replace(invisible, '').replace(/[\s\p{Cc}]+/gu, ' ');
  return Array.from(line, (letter) => (has(letter.codePointAt(0) ?? 0) ? letter : missing)).join(
    '',
  );
}
