/** The letters that fill two columns of a terminal. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const combining = /^[\p{Mn}\p{Me}]$/u;

/** The columns that `text` fills on a terminal. */
export function textWidth(text: string): number {
  if (/^\p{ASCII}*$/u.test(text)) return text.length;
  return Array.from(text).reduce((width, character) => width + widthOf(character), 0);
}

/** Shortens `text` to `width` columns; the last of them is then `…`. */
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

/** Fills `text` with spaces up to `width` columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function widthOf(character: string): number {
  if (combining.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
