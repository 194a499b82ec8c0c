/** A mail as its reader sees it, decoded. */
export interface ParsedMail {
  /** By name in lower case; unfolded and decoded, one entry per occurrence. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly text: string;
}

/** Parses a mail with one plain text part. @throws Error when a line is longer than 998 characters */
export function parseMail(raw: string): ParsedMail {
  const longest = Math.max(...raw.split('\r\n').map((line) => line.length));
  if (longest > 998) throw new Error(`a line has ${longest} characters, at most 998`);
  const split = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, split).replace(/\r\n[ \t]+/g, ' ');
  const headers: Record<string, string[]> = {};
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    (headers[name] ??= []).push(decodeEncodedWords(line.slice(colon + 1).trim()));
  }
  const body = raw.slice(split + 4);
  const encoding = headers['content-transfer-encoding']?.[0];
  const text =
    encoding === 'quoted-printable' ? decodeQuotedPrintable(body.replace(/=\r\n/g, '')) : body;
  return { headers, text: text.replaceAll('\r\n', '\n') };
}

/** Decodes encoded words; removes the space between two of them (RFC 2047). */
function decodeEncodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_all, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    );
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
