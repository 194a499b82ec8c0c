/**
 * A pattern of texts that mention an e-mail address, also percent-encoded. It means the same to
 * PostgreSQL and to JavaScript, both of which must ignore the case of letters. A longer address that
 * contains this one is another address.
 */
export function mentionPattern(email: string): string {
  const forms = [...new Set([email, encodeURIComponent(email)])].map(escapePattern);
  return `(?<![A-Za-z0-9._+-])(?:${forms.join('|')})(?![A-Za-z0-9-]|[.][A-Za-z0-9])`;
}

/** A backslash makes each character literal that has a meaning in a pattern. */
function escapePattern(text: string): string {
  return text.replace(/[.*+?^$|{}()[\]\\]/g, String.raw`\$&`);
}
