// Compiles the JSON Schema of an event type into a function that finds what in published data breaks it.
//
// Operators write schemas, and clients write data, so neither may block the process. Patterns run in RE2, which never
// backtracks. Before data is compared, a counter bounds the steps that this can take (stepCounter); data above the
// bound is refused without being compared. Schemas that come with the service are known to be cheap and are not
// counted.
//
// Data is searched for its first error; for all errors only if they are few and cheap to find.
import { Ajv2020, type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020.js';
import type { RegExpEngine } from 'ajv/dist/types/index.js';
import canonicalize from 'canonicalize';
import type { Issue } from '../errors.js';
import type { JsonSchema } from './built-in.js';

/**
 * Finds what in `data` breaks a schema: at most 20 issues, none if it is valid. Data that takes too many
 * steps is not compared, and gets one issue that says so.
 * @param spend is told how many steps it takes at most: 0 for a schema that comes with the service
 */
export type ValidateData = (data: unknown, spend?: (steps: number) => void) => Issue[];

/** At most this many issues are reported: nobody reads more at once. */
const maxIssues = 20;

/** Data with more values is searched for its first error only: others could fill the memory. */
const maxSearchedValues = 1_000;

/** Data that takes more steps is searched for its first error only, because each step can make an error. */
const maxSearchedSteps = 100_000;

/**
 * Compiles a valid schema. `format` is an annotation, as JSON Schema 2020-12 defines it.
 * @param compilePattern for schemas of operators; without it, patterns are those of JavaScript, which
 *   some texts make slow
 */
export function compileSchema(schema: JsonSchema, compilePattern?: CompilePattern): ValidateData {
  const patterns = compilePattern && compilingOnce(compilePattern);
  const stepsOf = patterns && stepCounter(schema, patterns);
  const findsFirst = compile(schema, patterns, false);
  let findsAll: ReturnType<typeof compile> | undefined;

  return (data, spend) => {
    const steps = stepsOf?.(data) ?? 0;
    spend?.(Math.min(steps, maxSteps));
    if (steps > maxSteps) return [tooSlow];
    if (findsFirst(data)) return [];
    if (steps > maxSearchedSteps || countValues(data, maxSearchedValues) >= maxSearchedValues) {
      return issuesOf(findsFirst.errors);
    }

    // Most schemas never find an error, so the form that finds all of them is compiled late.
    findsAll ??= compile(schema, patterns, true);
    void findsAll(data);
    return issuesOf(findsAll.errors);
  };
}

const tooSlow: Issue = {
  code: 'schema_too_slow',
  detail:
    'Takes too many steps to validate against its schema. Send fewer values or shorter strings.',
  param: 'data',
};

/** Compiles each pattern once: both forms of a schema and the counter of its steps share it. */
function compilingOnce(compilePattern: CompilePattern): CompilePattern {
  const compiled = new Map<string, CompiledPattern>();
  return (pattern) => {
    const compiledPattern = compiled.get(pattern) ?? compilePattern(pattern);
    compiled.set(pattern, compiledPattern);
    return compiledPattern;
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
    // The schema was validated when it was put. Compiling the meta-schemas takes longer than compiling it.
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    // With optimization a large schema takes twice as long to compile, and validates no faster.
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
function countValues(value: unknown, limit = Infinity): number {
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
  message = 'does not match the schema',
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

/** Writes values as JSON, cut after 200 characters. */
function shown(value: unknown): string {
  const text = Array.isArray(value)
    ? value.map((item) => JSON.stringify(item)).join(', ')
    : JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 199).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Comparing one event takes at most this many steps, some 50 ms. */
export const maxSteps = 1_500_000;

/** How many steps it takes to look at a value, and to make the error for one that does not fit. */
const valueSteps = 10;

/** How many steps it takes to write a value in canonical form, as `uniqueItems` does. */
const canonicalSteps = 10;

/** One step measures or compares this many characters. */
const charactersPerStep = 4;

/** A compiled pattern; `size` is how many steps a character takes at most. */
export interface CompiledPattern {
  readonly size: number;
  /** How many steps matching `text` takes at most. */
  stepsFor(text: string): number;
  test(text: string): boolean;
}

/**
 * Compiles a pattern of a schema.
 * @throws Error for a pattern that is not supported or too large
 */
export type CompilePattern = (pattern: string) => CompiledPattern;

/** Counts the steps of comparing `data`; Infinity for more than {@link maxSteps}. */
export type CountSteps = (data: unknown) => number;

/** Adds the steps of comparing one value with a part of a schema. */
type Charge = (value: unknown, meter: Meter) => void;

/** Ends counting. */
class TooManySteps extends Error {}

class Meter {
  steps = 0;

  /** @throws TooManySteps */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > maxSteps) throw new TooManySteps();
  }
}

/**
 * Makes a function that counts, before data is compared with a schema of an operator, how many steps
 * that can take at most: each value with each subschema that may look at it, and each text with each
 * pattern, whatever the validator skips. A step is what RE2 does for one character and one instruction
 * of a pattern, at most some 30 ns; everything else is counted in the same unit. So neither a heavy
 * schema nor heavy data blocks the process: data above {@link maxSteps} is not compared.
 * @param schema one that `expandSchema` accepts: references lead to `$defs`, and are not circular
 */
export function stepCounter(schema: JsonSchema, compilePattern: CompilePattern): CountSteps {
  const charge = new Charges(schema, compilePattern).of(schema);

  return (data) => {
    const meter = new Meter();
    try {
      charge(data, meter);
      return meter.steps;
    } catch (error) {
      if (error instanceof TooManySteps) return Infinity;
      throw error;
    }
  };
}

/** Makes the charge of each part of a schema. */
class Charges {
  readonly #definitions: JsonSchema;
  readonly #compilePattern: CompilePattern;
  readonly #ofDefinitions = new Map<string, Charge>();

  constructor(root: JsonSchema, compilePattern: CompilePattern) {
    this.#definitions = isObject(root['$defs']) ? root['$defs'] : {};
    this.#compilePattern = compilePattern;
  }

  of(schema: unknown): Charge {
    if (!isObject(schema)) return () => undefined;

    const steps = valueSteps + ownSteps(schema);
    const charges = [
      ...this.#ofTheSameValue(schema),
      ...this.#ofText(schema),
      ...this.#ofItems(schema),
      ...this.#ofMembers(schema),
    ];

    return (value, meter) => {
      meter.spend(steps);
      for (const charge of charges) charge(value, meter);
    };
  }

  *#ofTheSameValue(schema: JsonSchema): Iterable<Charge> {
    const { $ref, dependentSchemas } = schema;
    if (typeof $ref === 'string') yield this.#ofReference($ref);

    for (const name of ['allOf', 'anyOf', 'oneOf']) {
      for (const part of listOf(schema[name])) yield this.of(part);
    }

    for (const name of ['not', 'if', 'then', 'else']) {
      if (schema[name] !== undefined) yield this.of(schema[name]);
    }

    if (isObject(dependentSchemas)) {
      for (const part of Object.values(dependentSchemas)) yield this.of(part);
    }

    // An object is compared with each listed one, member by member.
    const listed = [...listOf(schema['enum']), schema['const']];
    const compared = listed
      .filter((value) => typeof value === 'object')
      .map((value) => countValues(value));
    const total = compared.reduce((sum, values) => sum + values, 0);
    if (total === 0) return;

    yield (value, meter) => {
      if (typeof value === 'object') meter.spend(total);
    };
  }

  #ofReference(reference: string): Charge {
    const name = reference.slice('#/$defs/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
    return (value, meter) => {
      const compiled = this.#ofDefinitions.get(name);
      const charge = compiled ?? this.of(this.#definitions[name]);
      if (!compiled) this.#ofDefinitions.set(name, charge);
      charge(value, meter);
    };
  }

  *#ofText({ pattern, minLength, maxLength }: JsonSchema): Iterable<Charge> {
    if (minLength !== undefined || maxLength !== undefined) {
      yield (value, meter) => {
        if (typeof value === 'string') meter.spend(value.length / charactersPerStep);
      };
    }
    if (typeof pattern === 'string') {
      const compiled = this.#compilePattern(pattern);
      yield (value, meter) => {
        if (typeof value === 'string') meter.spend(compiled.stepsFor(value));
      };
    }
  }

  *#ofItems(schema: JsonSchema): Iterable<Charge> {
    const { items, contains, unevaluatedItems, uniqueItems } = schema;
    const first = listOf(schema['prefixItems']).map((part) => this.of(part));
    if (first.length > 0) {
      yield (value, meter) => {
        if (!Array.isArray(value)) return;
        for (const [at, charge] of first.entries()) {
          if (at < value.length) charge(value[at], meter);
        }
      };
    }

    for (const part of [items, contains, unevaluatedItems]) {
      if (part === undefined) continue;

      const charge = this.of(part);
      const from = part === items ? first.length : 0;
      yield (value, meter) => {
        if (!Array.isArray(value)) return;
        meter.spend(value.length);
        for (let at = from; at < value.length; at += 1) charge(value[at], meter);
      };
    }

    if (uniqueItems !== true) return;

    yield (value, meter) => {
      if (Array.isArray(value)) spendCanonical(value, meter);
    };
  }

  *#ofMembers(schema: JsonSchema): Iterable<Charge> {
    const { properties, patternProperties, propertyNames } = schema;
    const named = Object.entries(isObject(properties) ? properties : {}).map(
      ([name, part]) => [name, this.of(part)] as const,
    );
    if (named.length > 0) {
      yield (value, meter) => {
        if (!isObject(value)) return;
        for (const [name, charge] of named) {
          if (Object.hasOwn(value, name)) charge(value[name], meter);
        }
      };
    }

    const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {}).map(
      ([pattern, part]) => [this.#compilePattern(pattern), this.of(part)] as const,
    );
    for (const [pattern, charge] of patterns) {
      yield forEachMember((value, name, meter) => {
        meter.spend(pattern.stepsFor(name));
        charge(value, meter);
      });
    }

    // These two match each name that is not listed with all patterns again.
    const { additionalProperties, unevaluatedProperties } = schema;
    const listed = new Set(named.map(([name]) => name));

    for (const part of [additionalProperties, unevaluatedProperties]) {
      if (part === undefined) continue;
      const charge = this.of(part);
      yield forEachMember((value, name, meter) => {
        if (listed.has(name)) return;
        for (const [pattern] of patterns) meter.spend(pattern.stepsFor(name));
        charge(value, meter);
      });
    }

    if (propertyNames !== undefined) {
      const charge = this.of(propertyNames);
      yield forEachMember((_value, name, meter) => charge(name, meter));
    }

    if (schema['minProperties'] !== undefined || schema['maxProperties'] !== undefined) {
      yield forEachMember(() => undefined);
    }
  }
}

/** Counts steps for what keywords list, whether or not a value has it. */
function ownSteps({ required, properties, dependentRequired, enum: listed }: JsonSchema): number {
  const dependent = isObject(dependentRequired) ? Object.values(dependentRequired) : [];
  return (
    listOf(required).length +
    Object.keys(isObject(properties) ? properties : {}).length +
    dependent.reduce<number>((sum, names) => sum + 1 + listOf(names).length, 0) +
    listOf(listed).length
  );
}

function forEachMember(charge: (value: unknown, name: string, meter: Meter) => void): Charge {
  return (value, meter) => {
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      meter.spend(1);
      charge(value[name], name, meter);
    }
  };
}

function spendCanonical(value: unknown, meter: Meter): void {
  meter.spend(canonicalSteps);
  if (typeof value === 'string') meter.spend(value.length / charactersPerStep);
  if (value === null || typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value)) {
    meter.spend(name.length / charactersPerStep);
    spendCanonical(inner, meter);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const maxLength = 255;

/** Writes the path to a member, such as `data.lines[0].sku`; cut after 255 characters. */
export function jsonPath(root: string, steps: readonly (string | number)[]): string {
  const text = steps.map(stepText).join('');
  return cut(root + text);
}

/** Reads the steps of a JSON pointer. A number may be a place in a list or a name. */
export function pointerSteps(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : step));
}

function stepText(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(cut(step))}]`;
}

/** Cuts a text, but never leaves half of a surrogate pair, which could not be sent. */
function cut(text: string): string {
  return text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
