import { exitCodes, Failure } from './failure.js';
import { nearest } from './nearest.js';

type Json = Record<string, unknown>;

/**
 * Sets members of `data` by paths such as `totals.total_minor_units=5` or `line_items.0.quantity=2`. A value
 * is JSON, else text.
 * @throws Failure for a path that neither data nor schema has, with the names that are near
 */
export function setMembers(data: Json, sets: readonly string[], schema: Json): Json {
  const changed = structuredClone(data);
  for (const text of sets) {
    const equals = text.indexOf('=');
    if (equals < 1) throw new Failure(`--set needs path=value, not ${text}.`, exitCodes.usage);
    setOne(changed, text.slice(0, equals).split('.'), valueOf(text.slice(equals + 1)), schema);
  }
  return changed;
}

function setOne(data: Json, path: readonly string[], value: unknown, schema: Json): void {
  let target: Json = data;
  let rules: Json | undefined = schema;
  for (const [place, name] of path.entries()) {
    const known: string[] = [
      ...new Set([...Object.keys(target), ...Object.keys(propertiesOf(rules))]),
    ];
    const open = rules === undefined || propertiesOf(rules) === none;
    if (!Object.hasOwn(target, name) && !known.includes(name) && !open) {
      const near = nearest(name, known);
      throw new Failure(
        `Unknown path: ${path.slice(0, place + 1).join('.')}. ${near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known here: ${known.join(', ')}.`}`,
        exitCodes.usage,
      );
    }
    rules = propertiesOf(rules)[name] as Json | undefined;
    if (place === path.length - 1) define(target, name, value);
    else {
      const next = Object.hasOwn(target, name) ? target[name] : undefined;
      if (typeof next === 'object' && next !== null) target = next as Json;
      else {
        const made = {};
        define(target, name, made);
        target = made;
      }
    }
  }
}

const none: Json = {};

function propertiesOf(rules: Json | undefined): Json {
  return (rules?.['properties'] as Json | undefined) ?? none;
}

/** Sets also a member named `__proto__` as data. */
function define(target: Json, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
