import { mailboxOf } from '../email.js';

/** How texts mention an e-mail address, also percent-encoded, and in any spelling of its domain. */
export interface Mentions {
  /**
   * A pattern for PostgreSQL, which must ignore the case of letters. It matches every text that mentions the
   * address, as JSON too, and texts that mention another address with the same end of the local part.
   */
  readonly pattern: string;
  /** Returns the first mention in a text. */
  find(text: string): string | undefined;
  /** Whether a text in JSON mentions it. */
  isIn(json: string): boolean;
}

/**
 * A longer address that contains this one is another address. A letter outside ASCII ends it: some languages put
 * no space before the next word. A mark belongs to the letter before it.
 */
const before = '(?<![A-Za-z0-9._+-])';
const after = String.raw`(?![A-Za-z0-9-]|\p{M}|[.][A-Za-z0-9])`;

/** Letters outside ASCII may be percent-encoded. */
const letter = String.raw`(?:[\p{L}\p{M}\p{Nd}_-]|%[89A-Fa-f][\dA-Fa-f])`;

/** No last label is longer, with each of its bytes percent-encoded. */
const maxLastLabel = 600;

/** Finds mentions of an address. */
export function mentionsOf(email: string): Mentions {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const domain = email.slice(at + 1);
  const pattern = `(?:${formsOf(local)})(?:@|%40)`;
  const start = new RegExp(before + pattern, 'gi');
  const form = mailboxOf(`@${domain}`);
  const asGiven = new RegExp(`(?:${formsOf(domain, form.slice(1))})${after}`, 'iuy');
  const labels = form.split('.').length;
  const upToLastLabel = new RegExp(`(?:${letter}+[.]){${labels - 1}}`, 'uy');
  const lastLabel = new RegExp(`${letter}{1,${maxLastLabel}}`, 'uy');
  const end = new RegExp(after, 'uy');

  const otherSpelling = (text: string, place: number): string | undefined => {
    const first = matchAt(upToLastLabel, text, place);
    if (first === undefined) return undefined;
    const last = matchAt(lastLabel, text, place + first.length) ?? '';

    for (let length = last.length; length > 0; length -= 1) {
      const found = first + last.slice(0, length);
      if (matchAt(end, text, place + found.length) === undefined) continue;
      if (mailboxOf(`@${decode(found)}`) === form) return found;
    }
    return undefined;
  };

  const find = (text: string): string | undefined => {
    for (const { 0: beginning, index } of text.matchAll(start)) {
      const place = index + beginning.length;
      const found = matchAt(asGiven, text, place) ?? otherSpelling(text, place);
      if (found !== undefined) return beginning + found;
    }
    return undefined;
  };

  // The letter of an escaped control character is no part of an address.
  const isIn = (json: string) => find(json.replace(/\\(?:u[\dA-Fa-f]{4}|.)/g, ' ')) !== undefined;

  return { pattern, find, isIn };
}

/** @param pattern is sticky */
function matchAt(pattern: RegExp, text: string, place: number): string | undefined {
  pattern.lastIndex = place;
  return pattern.exec(text)?.[0];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Bytes that are not UTF-8 spell no domain.
    return text;
  }
}

function formsOf(...texts: string[]): string {
  const forms = texts.flatMap((text) => [text, encodeURIComponent(text)]);
  return [...new Set(forms)].map(escapePattern).join('|');
}

/** A backslash makes each character literal that has a meaning in a pattern. */
function escapePattern(text: string): string {
  return text.replace(/[.*+?^$|{}()[\]\\]/g, String.raw`\$&`);
}
