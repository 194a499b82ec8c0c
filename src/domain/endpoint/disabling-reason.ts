import type { FieldChange } from '../audit/audit-entry.entity.js';
import type { Issue } from '../errors.js';
import { singleLineIssues } from '../text-issues.js';

/** Why a person disables an endpoint, in the words of that person. */
export type DisablingReason = string | null | undefined;

const param = 'reason';
const maxLength = 200;

/** With a sign before and after it, also percent-encoded, as the erasure of a buyer looks for it. */
const addressPattern = /\S(?:@|%40)\S/i;

/**
 * Validates the reason of a change that sets `active` so. The log of changes is kept for a year and
 * never changes. So the reason must have no e-mail address that an erasure would have to find.
 */
export function disablingReasonIssues(
  reason: DisablingReason,
  active: boolean | null | undefined,
): Issue[] {
  const text = reason?.trim() ?? '';
  if (text === '') return [];
  if (active !== false) {
    const detail = 'Must be absent, unless the change sets active to false.';
    return [{ code: 'invalid_value', detail, param }];
  }
  const issues = singleLineIssues(param, text, { max: maxLength });
  if (issues.length > 0 || !addressPattern.test(text)) return issues;
  return [{ code: 'invalid_value', detail: 'Must not have an e-mail address.', param }];
}

/** What the audit log keeps of a valid reason. */
export function disablingReasonChanges(reason: DisablingReason): FieldChange[] {
  const text = reason?.trim() ?? '';
  return text === '' ? [] : [{ field: param, to: text }];
}
