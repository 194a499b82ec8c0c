/** A part of a text from outside: shown as it is, or as an escape. */
export interface TextPart {
  readonly text: string;
  readonly escape: boolean;
}

/**
 * Characters that are invisible or reorder the text around them: control characters except tab and line
 * feed, bidirectional controls, zero-width spaces, line separators, lone surrogates.
 */
const hidden =
  /(?![\t\n])\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** Splits a text so that hidden characters can be shown as escapes, such as `\u202e`. */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  for (const { 0: match, index } of text.matchAll(hidden)) {
    if (index > done) parts.push({ text: text.slice(done, index), escape: false });
    parts.push({ text: escapeOf(match), escape: true });
    done = index + match.length;
  }
  if (done < text.length) parts.push({ text: text.slice(done), escape: false });
  return parts;
}

/** A text with its invisible characters as escapes, for places without elements, such as attributes. */
export function escapeHidden(text: string): string {
  return textParts(text)
    .map((part) => part.text)
    .join('');
}

function escapeOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
