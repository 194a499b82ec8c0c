import type { Issue } from '../errors.js';

/** The shortest and longest text that a field accepts, in Unicode code points. */
export interface TextBounds {
  readonly min?: 0 | 1;
  readonly max?: number;
}

/** At most this many levels of nested JSON. */
const maxJsonDepth = 64;

/**
 * Returns why a text cannot be stored and sent unchanged; undefined if it can.
 * PostgreSQL rejects NUL, and UTF-8 cannot encode half of a surrogate pair.
 */
export function storageProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'Must not contain a NUL character.';
  if (!text.isWellFormed()) return 'Must not contain a lone surrogate.';
  return undefined;
}

/** Counts Unicode code points, which the interface calls characters. */
export function countCharacters(text: string): number {
  let length = 0;
  for (const character of text) length += character === '' ? 0 : 1;
  return length;
}

/** Validates one text field: it must be storable and inside its bounds. */
export function textIssues(param: string, text: string, bounds: TextBounds = {}): Issue[] {
  const reason = storageProblem(text);
  if (reason !== undefined) return [{ code: 'invalid_value', detail: reason, param }];
  const { min = 0, max = Infinity } = bounds;
  if (text.length < min) {
    return [{ code: 'invalid_value', detail: 'Must not be empty.', param }];
  }
  // No text has more characters than code units.
  if (text.length > max && countCharacters(text) > max) {
    const detail = `Must be at most ${max.toLocaleString('en')} characters.`;
    return [{ code: 'too_long', detail, param }];
  }
  return [];
}

/** Validates a text field of one line: {@link textIssues}, and no control characters. */
export function singleLineIssues(param: string, text: string, bounds: TextBounds = {}): Issue[] {
  const issues = textIssues(param, text, bounds);
  if (issues.length > 0 || !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return issues;
  const detail = 'Must be one line without control characters.';
  return [{ code: 'invalid_value', detail, param }];
}

/**
 * Validates a free map of JSON values and returns the first problem. Texts and keys must be storable,
 * numbers finite, and no key may be `__proto__`. It changes nothing in the map.
 * @param maxDepth at most this many levels, the map included
 */
export function jsonObjectIssues(param: string, map: unknown, maxDepth = maxJsonDepth): Issue[] {
  if (map === null || typeof map !== 'object' || Array.isArray(map)) {
    return [{ code: 'invalid_type', detail: 'Must be an object.', param }];
  }
  const reason = jsonProblem(map, 1, maxDepth);
  return reason === undefined ? [] : [{ code: 'invalid_value', detail: reason, param }];
}

/** @param level that of `value`, if it is a list or an object; the outermost is 1 */
function jsonProblem(value: unknown, level: number, maxDepth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return storageProblem(value);
    case 'number':
      return Number.isFinite(value) ? undefined : 'Must contain only finite numbers.';
    case 'boolean':
      return undefined;
    case 'object':
      if (value === null) return undefined;
      if (level > maxDepth) return `Must nest at most ${maxDepth} levels.`;
      return Array.isArray(value)
        ? arrayProblem(value, level, maxDepth)
        : objectProblem(value, level, maxDepth);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      return 'Must contain only JSON values.';
  }
}

function arrayProblem(
  list: readonly unknown[],
  level: number,
  maxDepth: number,
): string | undefined {
  for (const item of list) {
    const reason = jsonProblem(item, level + 1, maxDepth);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function objectProblem(map: object, level: number, maxDepth: number): string | undefined {
  // JSON has no inherited keys, and a list of the keys would take as much memory as the map.
  for (const key in map) {
    if (key === '__proto__') return 'Must not contain the key __proto__.';
    const value = (map as Readonly<Record<string, unknown>>)[key];
    const reason = storageProblem(key) ?? jsonProblem(value, level + 1, maxDepth);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
