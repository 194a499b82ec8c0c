/** In characters. Longer URLs are cut, since a mail can name thousands; the id identifies the endpoint. */
const maxUrlLength = 200;

/** Returns a URL in one line, cut after 200 characters. */
export function shortenUrl(url: string): string {
  const characters = Array.from(toSingleLine(url));
  return characters.length > maxUrlLength
    ? `${characters.slice(0, maxUrlLength).join('')}…`
    : characters.join('');
}

/** Replaces characters that break lines or change their direction. */
export function toSingleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}

/** Marks every line as a quotation, so that none looks like ours. */
export function quoteLines(text: string): string[] {
  return text.split(/\r\n|[\r\n\p{Zl}\p{Zp}]/u).map((line) => `> ${toSingleLine(line)}`.trimEnd());
}

/** Ends each text with a line break. */
export function joinLines(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
