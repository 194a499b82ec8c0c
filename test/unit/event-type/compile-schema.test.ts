import { expect } from 'chai';
import {
  type CompilePattern,
  compileSchema,
  maxSteps,
  stepCounter,
} from '../../../src/domain/event-type/compile-schema.js';
import { compilePattern } from '../../../src/domain/event-type/patterns.js';
import { schemaIssues } from '../../../src/domain/event-type/validate-event-type.js';

type Schema = Record<string, unknown>;

const steps = (schema: Schema, data: unknown) => stepCounter(schema, compilePattern)(data);
const times = <Item>(count: number, make: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => make(at));

/** Schemas that pass every check when they are put, each with data that keeps a process for a second or more. */
const heavy: Readonly<Record<string, { readonly schema: Schema; readonly data: object }>> = {
  'patterns that match every character in many ways': {
    schema: {
      properties: {
        texts: { items: { allOf: times(48, () => ({ pattern: '(.*a){20}$' })) } },
      },
    },
    data: { texts: times(16, () => 'ab'.repeat(2_000)) },
  },
  'an enumeration of objects': {
    schema: { properties: { list: { items: { enum: times(2_500, (at) => ({ a: 1, b: at })) } } } },
    data: { list: times(10_000, () => ({ a: 1, b: -1 })) },
  },
  'many alternatives for each value': {
    schema: { properties: { list: { items: { anyOf: times(440, (at) => ({ const: at })) } } } },
    data: { list: times(30_000, () => -1) },
  },
  'many alternatives with one value each': {
    schema: { properties: { list: { items: { oneOf: times(440, () => ({ type: 'string' })) } } } },
    data: { list: times(30_000, () => 1) },
  },
  'patterns of names': {
    schema: {
      patternProperties: Object.fromEntries(times(300, (at) => [`^[a-z]{3}${at}$`, true])),
    },
    data: Object.fromEntries(times(10_000, (at) => [`name${at}`, 1])),
  },
  'long texts that are measured again and again': {
    schema: { properties: { text: { allOf: times(490, (at) => ({ maxLength: 250_000 + at })) } } },
    data: { text: 'x'.repeat(250_000) },
  },
  'lists whose items are compared again and again': {
    schema: { properties: { list: { allOf: times(490, () => ({ uniqueItems: true })) } } },
    data: { list: times(20_000, (at) => at) },
  },
};

describe('the steps of a schema', () => {
  for (const [name, { schema, data }] of Object.entries(heavy)) {
    it(`H251: are too many with ${name}, and nothing is compared`, () => {
      expect(schemaIssues('schema', schema), 'it can be put').to.deep.equal([]);
      const matched: string[] = [];
      const validate = compileSchema(schema, spying(matched));
      const spent: number[] = [];
      const [issue, ...others] = validate(data, (each) => void spent.push(each));
      expect(issue).to.include({ code: 'schema_too_slow', param: 'data' });
      expect([others, matched, spent]).to.deep.equal([[], [], [maxSteps]]);
      expect(validate({})).to.deep.equal([]);
    });
  }

  it('H251: are few for an ordinary event, also a large one', () => {
    const line = {
      type: 'object',
      properties: {
        sku: { type: 'string', pattern: '^[A-Z0-9-]{1,20}$' },
        quantity: { type: 'integer', minimum: 1 },
        price: { $ref: '#/$defs/amount' },
        kind: { enum: ['physical', 'digital', 'service'] },
      },
      required: ['sku', 'quantity', 'price'],
    };

    const schema = {
      type: 'object',
      properties: { lines: { type: 'array', items: line }, total: { $ref: '#/$defs/amount' } },
      required: ['lines'],
      $defs: {
        amount: {
          type: 'object',
          properties: {
            currency: { type: 'string', pattern: '^[A-Z]{3}$' },
            minor_units: { type: 'integer' },
          },
          additionalProperties: false,
        },
      },
    };

    const price = { currency: 'EUR', minor_units: 1 };
    const order = (lines: number) => ({
      lines: times(lines, (at) => ({ sku: `SKU-${at}`, quantity: 1, price, kind: 'digital' })),
      total: price,
    });

    expect(compileSchema(schema, compilePattern)(order(1_500))).to.deep.equal([]);
    expect(steps(schema, order(3))).to.be.below(maxSteps / 100);
  });

  it('H251: are never fewer than its patterns take', () => {
    const patterns = { pattern: '^(?:[a-z]+-?)+$', minLength: 1 };
    const schemas: readonly Schema[] = [
      { additionalProperties: patterns },
      { propertyNames: patterns },
      {
        patternProperties: {
          '^[a-m]': patterns,
          '[n-z]$': { anyOf: [patterns, { not: patterns }] },
        },
      },
      { unevaluatedProperties: patterns, properties: { abc: patterns } },
      { properties: { list: { prefixItems: [patterns], items: patterns, contains: patterns } } },
      { properties: { list: { oneOf: [{ unevaluatedItems: patterns }, { items: patterns }] } } },
      {
        if: { $ref: '#/$defs/a~1b' },
        else: { $ref: '#/$defs/a~1b' },
        $defs: { 'a/b': { additionalProperties: patterns } },
      },
      { dependentSchemas: { abc: { additionalProperties: patterns } } },
    ];

    const datas = [
      { abc: 'abc-def', nop: 'nop', z: '', Upper: 'Upper' },
      { list: ['a', 'B', 'c-d', 'E', 'x'.repeat(5_000)], abc: 'long'.repeat(500) },
    ];

    for (const schema of schemas) {
      const matched: string[] = [];

      for (const data of datas) {
        let taken = 0;
        compileSchema(
          schema,
          spying(matched, (each) => (taken += each)),
        )(data);
        // Data that does not fit is compared a second time, for all its errors.
        expect(taken).to.be.at.most(2 * steps(schema, data));
      }

      expect(matched.length, JSON.stringify(schema)).to.be.above(0);
    }
  });

  /** Compiles patterns that tell what they match, and how many steps it takes. */
  function spying(
    matched: string[],
    taken: (steps: number) => void = () => undefined,
  ): CompilePattern {
    return (pattern) => {
      const compiled = compilePattern(pattern);
      return {
        ...compiled,
        test: (text) => {
          matched.push(text);
          taken(compiled.stepsFor(text));
          return compiled.test(text);
        },
      };
    };
  }
});
