/**
 * Controls, and what reorders or hides text: direction marks, spaces without width, line separators,
 * tags, and halves of pairs.
 */
const unprintable =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}\u00ad\u180e\u200b-\u200f\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * Shows every control and direction character as an escape such as `\u001b`, so that no data of
 * others controls the terminal.
 */
export function printable(text: string): string {
  return text.replace(unprintable, escaped);
}

/** One line of JSON that is safe on a terminal and means the same. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** Indented JSON that is safe on a terminal and means the same, line by line. */
export function jsonLines(value: unknown): string[] {
  return JSON.stringify(value, null, 2).split('\n').map(printable);
}

/** As JSON escapes it: a character beyond U+FFFF as a pair. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
