import type { JsonSchema } from './built-in.js';
import type { CompilePattern } from './schema-steps.js';
import { jsonPath } from './json-path.js';

/** Why a schema is refused. */
export class SchemaRefused extends Error {
  constructor(
    readonly path: string,
    readonly detail: string,
  ) {
    super(`${path}: ${detail}`);
    this.name = 'SchemaRefused';
  }
}

/** Options of {@link expandSchema}. */
export interface ExpandOptions {
  /** The name of the schema in paths. */
  readonly root: string;
  readonly compilePattern: CompilePattern;
}

/** With references resolved. Each is compared with each value of an event at most once. */
const maxSubschemas = 500;

/** Steps of all patterns together: each character of an event can take as many. */
const maxPatternSteps = 5_000;

/** Keywords that describe and never refuse a value. */
export const annotations: ReadonlySet<string> = new Set([
  '$comment',
  '$schema',
  'contentEncoding',
  'contentMediaType',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

const single = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const maps = new Set(['dependentSchemas', 'patternProperties', 'properties']);
const plain = new Set([
  'const',
  'dependentRequired',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'pattern',
  'required',
  'type',
  'uniqueItems',
]);

/**
 * Writes a schema without references and `$defs`, and checks what could make it slow: it must not
 * refer to itself, have at most 500 subschemas, and only patterns of RE2, which take at most 5,000
 * steps together. Keywords that JSON Schema 2020-12 does not have must begin with `x-`.
 * @throws SchemaRefused with the first problem
 */
export function expandSchema(schema: JsonSchema, options: ExpandOptions): JsonSchema {
  const definitions = isObject(schema['$defs']) ? schema['$defs'] : {};
  const open = new Set<string>();
  const followed = new Set<string>();
  let count = 0;
  let steps = 0;

  const expand = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === 'boolean') return value;
    if (!isObject(value)) throw refused(path, 'Must be a schema: an object or a boolean.');
    count += 1;
    if (count > maxSubschemas) {
      throw refused(path, `Must have at most ${maxSubschemas} subschemas, references resolved.`);
    }
    const { $ref, $defs, ...own } = value;
    if ($defs !== undefined && path.length > 0) {
      throw refused([...path, '$defs'], 'Must be at the top of the schema.');
    }
    const result = Object.fromEntries(
      Object.entries(own).map(([name, inner]) => [name, expandKeyword(name, inner, path)]),
    );
    return $ref === undefined ? result : merged(result, follow($ref, [...path, '$ref']));
  };

  const expandKeyword = (name: string, inner: unknown, path: readonly (string | number)[]) => {
    const place = [...path, name];
    if (single.has(name)) return expand(inner, place);
    if (lists.has(name))
      return (inner as unknown[]).map((each, at) => expand(each, [...place, at]));
    if (maps.has(name)) {
      const entries = Object.entries(inner as object);
      if (name === 'patternProperties') {
        for (const [pattern] of entries) checkPattern(pattern, place);
      }
      return Object.fromEntries(entries.map(([key, each]) => [key, expand(each, [...place, key])]));
    }
    if (name === 'pattern') checkPattern(String(inner), place);
    if (plain.has(name) || annotations.has(name) || name.startsWith('x-')) return inner;
    throw refused(place, 'Is a keyword that schemas of events cannot have.');
  };

  const follow = (reference: unknown, path: readonly (string | number)[]): unknown => {
    const name = /^#\/\$defs\/([^/%]+)$/.exec(String(reference))?.[1];
    const key = name?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (key === undefined || !Object.hasOwn(definitions, key)) {
      throw refused(path, 'Must refer to an entry of $defs, such as #/$defs/address.');
    }
    if (open.has(key)) throw refused(path, 'Must not lead back to itself.');
    return define(key);
  };

  const define = (key: string): unknown => {
    followed.add(key);
    open.add(key);
    const target = expand(definitions[key], ['$defs', key]);
    open.delete(key);
    return target;
  };

  const checkPattern = (pattern: string, path: readonly (string | number)[]) => {
    try {
      steps += options.compilePattern(pattern).size;
    } catch (error) {
      throw refused(path, `Must be a pattern of RE2: ${(error as Error).message}`);
    }
    if (steps > maxPatternSteps) {
      throw refused(path, 'Must be simpler: all patterns together take too many steps.');
    }
  };

  const refused = (path: readonly (string | number)[], detail: string) =>
    new SchemaRefused(jsonPath(options.root, path), detail);

  const expanded = expand(schema, []) as JsonSchema;
  for (const key of Object.keys(definitions)) if (!followed.has(key)) define(key);
  return expanded;
}

/** A reference beside keywords holds together with them. */
function merged(own: Record<string, unknown>, target: unknown): unknown {
  const onlyDescribes = Object.keys(own).every((name) => annotations.has(name));
  if (onlyDescribes && isObject(target)) return { ...target, ...own };
  const others = Array.isArray(own['allOf']) ? (own['allOf'] as unknown[]) : [];
  return { ...own, allOf: [...others, target] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
