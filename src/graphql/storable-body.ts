import { validationFailed } from '../domain/errors.js';
import { jsonObjectIssues, storageProblem } from '../domain/text-issues.js';

/** How JSON.stringify writes characters that cannot be stored, and the forbidden member name. */
const unstorablePattern = /\\u0000|\\ud[89a-f]|"__proto__":/;

/**
 * Refuses text that cannot be stored, anywhere in the body, before GraphQL reads it.
 * @param bytes the body as JSON in UTF-8
 * @throws DomainError validation_failed
 */
export function rejectUnstorableBody(body: unknown, bytes: Buffer): void {
  const { query, variables } = (body ?? {}) as { query?: unknown; variables?: unknown };
  const isMap = variables == null || (typeof variables === 'object' && !Array.isArray(variables));
  // JSON in UTF-8 spells what cannot be stored with an escape. Searching bytes takes a hundredth of
  // the time of stringifying, and stringifying a tenth of that of checking each value.
  const mayHoldUnstorable = bytes.includes('\\u') || bytes.includes('__proto__');
  const isStorable =
    !mayHoldUnstorable || !unstorablePattern.test(JSON.stringify([query, variables]));
  if (isMap && isStorable) return;
  const reason = typeof query === 'string' ? storageProblem(query) : undefined;
  const issues = variables == null ? [] : jsonObjectIssues('variables', variables);
  if (reason !== undefined)
    issues.unshift({ code: 'invalid_value', detail: reason, param: 'query' });
  if (issues.length > 0) throw validationFailed(issues);
}
