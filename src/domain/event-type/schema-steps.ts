import type { JsonSchema } from './built-in.js';

/**
 * Counts beforehand how many steps it can take at most to compare data with a schema of an operator:
 * each value with each subschema that may look at it, and each text with each pattern, whatever the
 * validator skips. A step is what RE2 does for one character and one instruction of a pattern, at
 * most some 30 ns; everything else is counted in the same unit. So neither a heavy schema nor heavy data keeps
 * the process from other requests: data above {@link maxSteps} is not compared.
 */

/** Comparing one event takes at most as many, some 50 ms. */
export const maxSteps = 1_500_000;

/** To look at a value, and to make the error for one that does not fit. */
const valueSteps = 10;

/** To write a value in canonical form, as `uniqueItems` does. */
const canonicalSteps = 10;

/** So many characters are measured or compared in a step. */
const charactersPerStep = 4;

/** A compiled pattern; `size` is how many steps a character takes at most. */
export interface CompiledPattern {
  readonly size: number;
  /** How many steps matching `text` takes at most. */
  stepsFor(text: string): number;
  test(text: string): boolean;
}

/** Compiles a pattern of a schema. @throws Error for one that it does not take */
export type CompilePattern = (pattern: string) => CompiledPattern;

/** Counts the steps of comparing `data`; Infinity for more than {@link maxSteps}. */
export type CountSteps = (data: unknown) => number;

/** Adds the steps of comparing one value with a part of a schema. */
type Charge = (value: unknown, meter: Meter) => void;

/** Ends the counting. */
class TooManySteps extends Error {}

class Meter {
  steps = 0;

  /** @throws TooManySteps */
  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > maxSteps) throw new TooManySteps();
  }
}

/** @param schema one that `expandSchema` takes: references lead to `$defs`, and never back */
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

/** Makes the charges of the parts of a schema. */
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
    const compared = listed.filter((each) => typeof each === 'object').map(countValues);
    const total = compared.reduce((sum, values) => sum + values, 0);
    if (total === 0) return;
    yield (value, meter) => {
      if (typeof value === 'object') meter.spend(total);
    };
  }

  #ofReference(reference: string): Charge {
    const name = reference.slice('#/$defs/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
    return (value, meter) => {
      const known = this.#ofDefinitions.get(name);
      const charge = known ?? this.of(this.#definitions[name]);
      if (!known) this.#ofDefinitions.set(name, charge);
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
      yield eachMember((value, name, meter) => {
        meter.spend(pattern.stepsFor(name));
        charge(value, meter);
      });
    }

    // They match each name that is not listed with all patterns again.
    const { additionalProperties, unevaluatedProperties } = schema;
    const listed = new Set(named.map(([name]) => name));
    for (const part of [additionalProperties, unevaluatedProperties]) {
      if (part === undefined) continue;
      const charge = this.of(part);
      yield eachMember((value, name, meter) => {
        if (listed.has(name)) return;
        for (const [pattern] of patterns) meter.spend(pattern.stepsFor(name));
        charge(value, meter);
      });
    }

    if (propertyNames !== undefined) {
      const charge = this.of(propertyNames);
      yield eachMember((_value, name, meter) => charge(name, meter));
    }
    if (schema['minProperties'] !== undefined || schema['maxProperties'] !== undefined) {
      yield eachMember(() => undefined);
    }
  }
}

/** Steps for what a keyword lists, whether or not a value has it. */
function ownSteps({ required, properties, dependentRequired, enum: listed }: JsonSchema): number {
  const dependent = isObject(dependentRequired) ? Object.values(dependentRequired) : [];
  return (
    listOf(required).length +
    Object.keys(isObject(properties) ? properties : {}).length +
    dependent.reduce<number>((sum, names) => sum + 1 + listOf(names).length, 0) +
    listOf(listed).length
  );
}

function eachMember(charge: (value: unknown, name: string, meter: Meter) => void): Charge {
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

function countValues(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
