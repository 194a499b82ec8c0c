import type { Issue } from './errors.js';
import { countCharacters, textIssues } from './text-issues.js';

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
