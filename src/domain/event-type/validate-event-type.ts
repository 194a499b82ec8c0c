import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Issue } from '../errors.js';
import { canonicalText } from '../values/canonical-json.js';
import { jsonObjectIssues, singleLineIssues, textIssues } from '../values/text.js';
import { hasBuiltInSchema, type JsonSchema } from './built-in.js';
import { type CompilePattern, compileSchema, jsonPath, pointerSteps } from './compile-schema.js';
import type { EventTypeInput, EventTypeVersionContent } from './definitions.js';
import { compilePattern } from './patterns.js';

/** A schema, and an example, have at most this many characters of JSON. */
const maxJsonLength = 65_536;
const maxVersions = 20;
const maxDepth = 32;
const dialect = 'https://json-schema.org/draft/2020-12/schema';

const idPattern = /^[a-z0-9_]+(\.[a-z0-9_]+)+$/;
/** Reserved for events about webhooks themselves, present and future. */
const reservedPrefix = 'webhook.';
const versionPattern = /^v[1-9][0-9]{0,2}$/;

let metaSchema: Ajv2020 | undefined;

/**
 * Validates an event type, without regard to its stored schemas. Paths begin with the member of the input.
 * @param stored the stored versions: one that stays the same is not validated again
 */
export function eventTypeIssues(
  input: EventTypeInput,
  stored: readonly EventTypeVersionContent[] = [],
): Issue[] {
  const { id, category, summary, description, versions } = input;
  const issues = [
    ...textIssues('id', id, { min: 1, max: 100 }),
    ...(idPattern.test(id)
      ? []
      : [formatIssue('id', 'Must be names joined by dots, such as shop.order.shipped.')]),
    ...(id.startsWith(reservedPrefix) && !hasBuiltInSchema(id)
      ? [formatIssue('id', `Must not begin with ${reservedPrefix}: the service publishes these.`)]
      : []),
    ...textIssues('category', category, { min: 1, max: 50 }),
    ...(/^[a-z0-9_]+$/.test(category)
      ? []
      : [formatIssue('category', 'Must be lower-case letters, digits and _.')]),
    ...singleLineIssues('summary', summary, { min: 1, max: 200 }),
    ...textIssues('description', description, { min: 1, max: 1_000 }),
  ];

  const names = versions.map(({ version }) => version);
  if (new Set(names).size < names.length) {
    issues.push({
      code: 'invalid_value',
      detail: 'Must not list a version twice.',
      param: 'versions',
    });
  }

  if (versions.length > maxVersions) {
    const detail = `Must have at most ${maxVersions} items.`;
    issues.push({ code: 'out_of_range', detail, param: 'versions' });
  }

  return [
    ...issues,
    ...versions.slice(0, maxVersions).flatMap((content) => versionIssues(content, stored)),
  ];
}

function formatIssue(param: string, detail: string): Issue {
  return { code: 'invalid_format', detail, param };
}

function versionIssues(
  content: EventTypeVersionContent,
  stored: readonly EventTypeVersionContent[],
): Issue[] {
  const { version, schema, example } = content;
  if (!versionPattern.test(version)) return [formatIssue('versions', 'Must be v1 to v999.')];

  const root = `versions.${version}`;
  const issues = [
    ...jsonIssues(`${root}.schema`, schema),
    ...jsonIssues(`${root}.example`, example),
  ];
  if (issues.length > 0) return issues;

  const isStored = stored.some(
    (old) => old.version === version && canonicalText(old) === canonicalText(content),
  );
  if (isStored) return [];

  const refused = schemaIssues(`${root}.schema`, schema);
  if (refused.length > 0) return refused;

  return compileSchema(
    schema,
    compilePattern,
  )(example).map((issue) => ({
    ...issue,
    param: `${root}.example${(issue.param ?? '').replace(/^data/, '')}`,
  }));
}

function jsonIssues(param: string, value: unknown): Issue[] {
  const issues = jsonObjectIssues(param, value, maxDepth);
  if (issues.length > 0 || JSON.stringify(value).length <= maxJsonLength) return issues;
  const detail = `Must be at most ${maxJsonLength.toLocaleString('en')} characters of JSON.`;
  return [{ code: 'too_long', detail, param }];
}

/** Validates a schema: against JSON Schema 2020-12, and by {@link expandSchema}. */
export function schemaIssues(root: string, schema: EventTypeVersionContent['schema']): Issue[] {
  if (schema['$schema'] !== undefined && schema['$schema'] !== dialect) {
    return [{ code: 'invalid_value', detail: `Must be ${dialect}.`, param: `${root}.$schema` }];
  }

  metaSchema ??= new Ajv2020({ strict: false, validateFormats: false, logger: false });

  if (metaSchema.validateSchema(schema) !== true) {
    const [error] = metaSchema.errors ?? [];
    const detail = `Is not a valid JSON Schema (2020-12): ${error?.message ?? 'it does not match the meta-schema'}.`;
    const param = jsonPath(root, pointerSteps(error?.instancePath ?? ''));
    return [{ code: 'invalid_value', detail, param }];
  }

  try {
    expandSchema(schema, { root, compilePattern });
    return [];
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error;
    return [{ code: 'invalid_value', detail: error.detail, param: error.path }];
  }
}

/** Why a schema is refused. */
class SchemaRefused extends Error {
  constructor(
    readonly path: string,
    readonly detail: string,
  ) {
    super(`${path}: ${detail}`);
    this.name = 'SchemaRefused';
  }
}

/** Options of {@link expandSchema}. */
interface ExpandOptions {
  /** The name of the schema in paths. */
  readonly root: string;
  readonly compilePattern: CompilePattern;
}

/** At most this many subschemas, references resolved. Each is compared with each value of an event at most once. */
const maxSubschemas = 500;

/** All patterns together take at most this many steps for each character of an event. */
const maxPatternSteps = 5_000;

/** Keywords that only describe: they never make a value invalid. */
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
 * Returns a schema without references and `$defs`, and checks what could make it slow: it must not
 * refer to itself; it has at most 500 subschemas; its patterns are patterns of RE2, and together take
 * at most 5,000 steps. Keywords that JSON Schema 2020-12 does not define must begin with `x-`.
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

    const { $ref, $defs, ...keywords } = value;
    if ($defs !== undefined && path.length > 0) {
      throw refused([...path, '$defs'], 'Must be at the top level of the schema.');
    }

    const result = Object.fromEntries(
      Object.entries(keywords).map(([name, inner]) => [name, expandKeyword(name, inner, path)]),
    );
    return $ref === undefined ? result : merged(result, follow($ref, [...path, '$ref']));
  };

  const expandKeyword = (name: string, inner: unknown, path: readonly (string | number)[]) => {
    const place = [...path, name];
    if (single.has(name)) return expand(inner, place);
    if (lists.has(name))
      return (inner as unknown[]).map((part, at) => expand(part, [...place, at]));

    if (maps.has(name)) {
      const entries = Object.entries(inner as object);
      if (name === 'patternProperties') {
        for (const [pattern] of entries) checkPattern(pattern, place);
      }
      return Object.fromEntries(entries.map(([key, part]) => [key, expand(part, [...place, key])]));
    }

    if (name === 'pattern') checkPattern(String(inner), place);
    if (plain.has(name) || annotations.has(name) || name.startsWith('x-')) return inner;

    throw refused(place, 'Is not a keyword that event schemas support.');
  };

  const follow = (reference: unknown, path: readonly (string | number)[]): unknown => {
    const name = /^#\/\$defs\/([^/%]+)$/.exec(String(reference))?.[1];
    const key = name?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (key === undefined || !Object.hasOwn(definitions, key)) {
      throw refused(path, 'Must refer to an entry of $defs, such as #/$defs/address.');
    }
    if (open.has(key)) throw refused(path, 'Circular $ref.');
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
      throw refused(path, `Must be a valid RE2 pattern: ${(error as Error).message}`);
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

/** A reference applies in addition to the keywords next to it. */
function merged(keywords: Record<string, unknown>, target: unknown): unknown {
  const onlyDescribes = Object.keys(keywords).every((name) => annotations.has(name));
  if (onlyDescribes && isObject(target)) return { ...target, ...keywords };
  const others = Array.isArray(keywords['allOf']) ? (keywords['allOf'] as unknown[]) : [];
  return { ...keywords, allOf: [...others, target] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
