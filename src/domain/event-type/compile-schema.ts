import { Ajv2020, type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020.js';
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import canonicalize from 'canonicalize';
import type { Issue } from '../errors.js';
import type { JsonSchema } from './built-in.js';
import { jsonPath, pointerSteps } from './json-path.js';
import {
  type CompiledPattern,
  type CompilePattern,
  maxSteps,
  stepCounter,
} from './schema-steps.js';

/**
 * Finds what in `data` breaks a schema; empty if it is valid. At most 20 entries. Data that takes too
 * many steps is not compared, and has one entry that says so.
 * @param spend gets how many steps it takes at most; none for a schema that comes with the service
 */
export type ValidateData = (data: unknown, spend?: (steps: number) => void) => Issue[];

/** More than a person reads at once. */
const maxIssues = 20;

/** Data with more values is searched for its first error only: others could fill the memory. */
const maxSearchedValues = 1_000;

/** The same for data that takes more steps: each can make an error. */
const maxSearchedSteps = 100_000;

/**
 * Compiles a valid schema. `format` is an annotation, as JSON Schema
 * 2020-12 defines it.
 * @param compilePattern for schemas of operators; without it, patterns are those of JavaScript, which
 *   some texts make slow
 */
export function compileSchema(schema: JsonSchema, compilePattern?: CompilePattern): ValidateData {
  const patterns = compilePattern && compilingOnce(compilePattern);
  const stepsOf = patterns && stepCounter(schema, patterns);
  const first = compile(schema, patterns, false);
  let all: ReturnType<typeof compile> | undefined;

  return (data, spend) => {
    const steps = stepsOf?.(data) ?? 0;
    spend?.(Math.min(steps, maxSteps));
    if (steps > maxSteps) return [tooSlow];
    if (first(data)) return [];
    if (steps > maxSearchedSteps || countValues(data, maxSearchedValues) >= maxSearchedValues) {
      return issuesOf(first.errors);
    }

    // Most schemas never find an error, so the second form is compiled late.
    all ??= compile(schema, patterns, true);
    void all(data);
    return issuesOf(all.errors);
  };
}

const tooSlow: Issue = {
  code: 'schema_too_slow',
  detail: 'Takes too many steps to compare with its schema. Send fewer values or shorter texts.',
  param: 'data',
};

/** Both forms of a schema, and the count of its steps, share its patterns. */
function compilingOnce(compilePattern: CompilePattern): CompilePattern {
  const compiled = new Map<string, CompiledPattern>();
  return (pattern) => {
    const known = compiled.get(pattern) ?? compilePattern(pattern);
    compiled.set(pattern, known);
    return known;
  };
}

function compile(
  schema: JsonSchema,
  compilePattern: CompilePattern | undefined,
  allErrors: boolean,
) {
  const ajv = new Ajv2020({
    allErrors,
    strict: false,
    validateFormats: false,
    ownProperties: true,
    logger: false,
    // The schema was validated when it was put; compiling the meta-schemas takes longer than it.
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    // Optimized, a large schema takes twice as long to compile, and compares as fast.
    ...(compilePattern && { code: { optimize: false, regExp: engineOf(compilePattern) } }),
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not have duplicate items' },
    // Ajv compares each item with each other one.
    validate: (wanted: boolean, items: readonly unknown[]) =>
      !wanted || new Set(items.map((item) => canonicalize(item))).size === items.length,
  });
  return ajv.compile(schema as AnySchemaObject);
}

function engineOf(compilePattern: CompilePattern): RegExpEngine {
  return Object.assign((pattern: string) => compilePattern(pattern), { code: 'compilePattern' });
}

/** Counts values, and stops at `limit`. */
function countValues(value: unknown, limit: number): number {
  if (value === null || typeof value !== 'object') return 1;
  let count = 1;
  for (const inner of Object.values(value)) {
    count += countValues(inner, limit - count);
    if (count >= limit) break;
  }
  return count;
}

function issuesOf(errors: readonly ErrorObject[] | null | undefined): Issue[] {
  const issues = new Map<string, Issue>();
  for (const error of errors ?? []) {
    const issue = issueOf(error);
    issues.set(`${issue.param} ${issue.detail}`, issue);
    if (issues.size === maxIssues) break;
  }
  return [...issues.values()];
}

function issueOf({ instancePath, keyword, params, message }: ErrorObject): Issue {
  const named = params as Readonly<Record<string, unknown>>;
  const name =
    named['missingProperty'] ?? named['additionalProperty'] ?? named['unevaluatedProperty'];
  const steps = [...pointerSteps(instancePath), ...(typeof name === 'string' ? [name] : [])];
  return {
    code: 'schema_mismatch',
    detail: detailOf(keyword, named, message),
    param: jsonPath('data', steps),
  };
}

function detailOf(
  keyword: string,
  params: Readonly<Record<string, unknown>>,
  message = 'breaks the schema',
): string {
  switch (keyword) {
    case 'required':
      return 'Is required.';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'Is an unknown property.';
    case 'enum':
      return `Must be one of: ${shown(params['allowedValues'])}.`;
    case 'const':
      return `Must be ${shown(params['allowedValue'])}.`;
    default:
      return `${message.charAt(0).toUpperCase()}${message.slice(1, 300)}.`;
  }
}

/** At most 200 characters of values as JSON. */
function shown(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map((each) => JSON.stringify(each)).join(', ')
    : JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 199).replace(/[\ud800-\udbff]$/, '')}…`;
}
