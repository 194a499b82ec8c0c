import { validationFailed } from '../domain/errors.js';
import { jsonObjectIssues, storageProblem } from '../domain/text-issues.js';
import { variablesOfEvents } from './variables-of-events.js';

/** How JSON.stringify writes characters that cannot be stored, and the forbidden member name. */
const unstorablePattern = /\\u0000|\\ud[89a-f]|"__proto__":/;

/**
 * Refuses text that cannot be stored, anywhere in an operation, before GraphQL reads it. Leaves the
 * events of `publishEvents` to that mutation, which refuses each by itself.
 * @param query the text of the document
 * @param bytes the body as JSON in UTF-8
 * @throws DomainError validation_failed
 */
export function rejectUnstorableBody(query: unknown, variables: unknown, bytes: Buffer): void {
  const isMap = variables == null || (typeof variables === 'object' && !Array.isArray(variables));
  // JSON in UTF-8 spells what cannot be stored with an escape. Searching bytes takes a hundredth of
  // the time of stringifying, and stringifying a tenth of that of checking each value.
  const mayHoldUnstorable = bytes.includes('\\u') || bytes.includes('__proto__');
  const isStorable =
    !mayHoldUnstorable || !unstorablePattern.test(JSON.stringify([query, variables]));
  if (isMap && isStorable) return;

  const reason = typeof query === 'string' ? storageProblem(query) : undefined;
  const checked = isMap && typeof query === 'string' ? withoutEvents(query, variables) : variables;
  const issues = checked == null ? [] : jsonObjectIssues('variables', checked);

  if (reason !== undefined)
    issues.unshift({ code: 'invalid_value', detail: reason, param: 'query' });
  if (issues.length > 0) throw validationFailed(issues);
}

function withoutEvents(query: string, variables: object | null | undefined): unknown {
  const names = variablesOfEvents(query);
  if (names.size === 0) return variables;
  return Object.fromEntries(Object.entries(variables ?? {}).filter(([name]) => !names.has(name)));
}
