import type { Issue } from './errors.js';

/** Bounds of a text in characters, that is Unicode code points. */
export interface TextBounds {
  readonly min?: number;
  readonly max?: number;
}

/** How deep JSON may nest (H92). */
const maxJsonDepth = 64;

/**
 * Says why a text cannot be stored and sent as it is; undefined when it can (H92).
 * PostgreSQL refuses NUL, and UTF-8 has no form for half of a surrogate pair.
 */
export function storageProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'Must not contain a NUL character.';
  if (/\p{Surrogate}/u.test(text)) return 'Must not contain a lone surrogate.';
  return undefined;
}

/** Counts Unicode code points, what the interface calls characters. */
export function countCharacters(text: string): number {
  let length = 0;
  for (const character of text) length += character === '' ? 0 : 1;
  return length;
}

/** The refusals of one text field; empty when it is storable and inside its bounds. */
export function textIssues(param: string, text: string, bounds: TextBounds = {}): Issue[] {
  const reason = storageProblem(text);
  if (reason !== undefined) return [{ code: 'invalid_value', detail: reason, param }];
  const length = countCharacters(text);
  if (bounds.min !== undefined && length < bounds.min) {
    return [{ code: 'invalid_value', detail: 'Must not be empty.', param }];
  }
  if (bounds.max !== undefined && length > bounds.max) {
    const detail = `Must be at most ${bounds.max.toLocaleString('en')} characters.`;
    return [{ code: 'too_long', detail, param }];
  }
  return [];
}

/** The refusals of a text field that is one line: {@link textIssues}, and no control characters. */
export function singleLineIssues(param: string, text: string, bounds: TextBounds = {}): Issue[] {
  const issues = textIssues(param, text, bounds);
  if (issues.length > 0 || !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return issues;
  const detail = 'Must be one line without control characters.';
  return [{ code: 'invalid_value', detail, param }];
}

/**
 * The first refusal of a free map of JSON values (H92): texts and keys must be storable, numbers
 * finite, no key `__proto__`. Nothing in the map is ever altered.
 * @param depth how many levels it may nest, itself included
 */
export function jsonObjectIssues(param: string, map: unknown, depth = maxJsonDepth): Issue[] {
  if (map === null || typeof map !== 'object' || Array.isArray(map)) {
    return [{ code: 'invalid_type', detail: 'Must be an object.', param }];
  }
  const reason = jsonProblem(map, depth);
  return reason === undefined ? [] : [{ code: 'invalid_value', detail: reason, param }];
}

/** @param depth how many levels of lists and objects are left */
function jsonProblem(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return storageProblem(value);
    case 'number':
      return Number.isFinite(value) ? undefined : 'Must hold finite numbers only.';
    case 'boolean':
      return undefined;
    case 'object':
      if (value === null) return undefined;
      if (depth === 0) return 'Is nested too deep.';
      return Array.isArray(value) ? arrayProblem(value, depth) : objectProblem(value, depth);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      return 'Must hold JSON values only.';
  }
}

function arrayProblem(list: readonly unknown[], depth: number): string | undefined {
  for (const item of list) {
    const reason = jsonProblem(item, depth - 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function objectProblem(map: object, depth: number): string | undefined {
  for (const [key, value] of Object.entries(map)) {
    if (key === '__proto__') return 'Must not hold the key __proto__.';
    const reason = storageProblem(key) ?? jsonProblem(value, depth - 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
