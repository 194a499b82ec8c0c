import type { Issue } from '../errors.js';
import { countCharacters, textIssues } from './text.js';
import { parseUrl } from './url.js';

const maxLength = 254;

/**
 * Validates an e-mail address of at most 254 characters:
 * - one `@`, with text before it and a domain of dot-separated labels after it;
 * - no spaces and no control characters;
 * - no characters that are special in a mail header, because the address goes into `To:`.
 */
export function emailIssues(param: string, address: string): Issue[] {
  const issues = textIssues(param, address);
  if (issues.length > 0) return issues;
  if (countCharacters(address) > maxLength) {
    return [{ code: 'too_long', detail: `Must be at most ${maxLength} characters.`, param }];
  }
  if (isAddress(address)) return [];
  return [{ code: 'invalid_format', detail: 'Must be an e-mail address.', param }];
}

function isAddress(address: string): boolean {
  if (/[\s\p{Cc}\p{Zl}\p{Zp},;:<>()[\]\\"]/u.test(address)) return false;
  const parts = address.split('@');
  if (parts.length !== 2 || parts[0] === '') return false;
  const labels = (parts[1] ?? '').split('.');
  return labels.length > 1 && labels.every((label) => label !== '');
}

/**
 * Returns the form in which addresses are compared; two addresses with the same form are one person. ASCII letters
 * become lower case, and an international domain becomes ASCII: `münchen.de` becomes `xn--mnchen-3ya.de`. Applying
 * it twice changes nothing.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  return asciiLowerCase(address.slice(0, at) + (asciiDomain(domain) ?? domain));
}

/** Whether two addresses belong to one person. */
export function isSameMailbox(one: string, other: string): boolean {
  return mailboxOf(one) === mailboxOf(other);
}

/**
 * Returns what the column `mailbox` stores for an address: its form if it has letters outside ASCII, else null.
 * PostgreSQL derives the form of any other address, see {@link mailboxIn}.
 */
export function storedMailbox(address: string): string | null {
  return isAscii(address) ? null : mailboxOf(address);
}

/**
 * In SQL: the form of the address in a column of a row with a column `mailbox`. The indexes of addresses have this
 * expression.
 * @param row the name of the row with a dot, if the statement needs it
 */
export function mailboxIn(column: string, row = ''): string {
  return `coalesce(${row}mailbox, lower(${row}${column} collate "C"))`;
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/**
 * Returns an international domain in ASCII (UTS 46, as browsers do), or undefined if the result could be the domain of
 * somebody else: the host of a URL ends at `/`, decodes `%`, and may be an IPv4 address.
 */
function asciiDomain(domain: string): string | undefined {
  if (isAscii(domain) || !/^[\p{L}\p{M}\p{Nd}._-]+$/u.test(domain)) return undefined;
  const hostname = parseUrl(`http://${domain}/`)?.hostname;
  return hostname === undefined || /^[\d.]+$/.test(hostname) ? undefined : hostname;
}
