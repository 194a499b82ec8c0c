/** Control characters, and those that reorder or hide text. */
const unprintable = /[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

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

/** Indented JSON that is safe on a terminal and means the same. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).split('\n').map(printable).join('\n');
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
