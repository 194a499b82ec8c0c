import { expect } from 'chai';
import { breakingChanges } from '../../../../src/domain/event-type/compatibility.js';
import { compilePattern } from '../../../../src/domain/event-type/patterns.js';
import { expandSchema } from '../../../../src/domain/event-type/validate-event-type.js';
import fc from 'fast-check';
import { compileSchema } from '../../../../src/domain/event-type/compile-schema.js';

type Schema = Record<string, unknown>;

const expand = (schema: Schema) => expandSchema(schema, { root: 'schema', compilePattern });
const breaks = (before: Schema, after: Schema) =>
  breakingChanges(expand(before), expand(after)).map(({ path }) => path);

const text = { type: 'string' };
const object = (properties: Schema, more: Schema = {}) => ({ type: 'object', properties, ...more });

describe('what breaks a schema', () => {
  const compatible: Readonly<Record<string, readonly [Schema, Schema]>> = {
    nothing: [object({ a: text }), object({ a: text })],
    'another order': [object({ a: text, b: text }), object({ b: text, a: text })],
    words: [object({ a: text }, { title: 'a' }), object({ a: { ...text, description: 'b' } })],
    'a member that is added': [object({ a: text }), object({ a: text, b: text })],
    'a member that is added to a closed object': [
      object({ a: text }, { additionalProperties: false }),
      object({ a: text, b: text }, { additionalProperties: false }),
    ],
    'a closed object that opens': [object({}, { additionalProperties: false }), object({})],
    'a member that is no longer required': [
      object({ a: text }, { required: ['a'] }),
      object({ a: text }),
    ],
    'one more type': [object({ a: text }), object({ a: { type: ['string', 'null'] } })],
    'integer to number': [{ type: 'integer' }, { type: 'number' }],
    'one more value': [{ enum: ['a'] }, { enum: ['b', 'a'] }],
    'a constant that becomes a list': [{ const: { b: 1, a: 2 } }, { enum: [{ a: 2, b: 1 }, 0] }],
    'a list that goes': [{ enum: ['a'] }, {}],
    'wider limits': [
      { minLength: 2, maximum: 3, maxItems: 1 },
      { minLength: 1, maximum: 4, maxItems: 2 },
    ],
    'limits that go': [{ minLength: 2, exclusiveMaximum: 3 }, { minLength: 0 }],
    'a pattern and a format that go': [{ pattern: '^a', format: 'email' }, {}],
    'a definition by another name': [
      object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: text } }),
      object({ a: text }),
    ],
    'equal alternatives': [
      { oneOf: [text, { type: 'null' }] },
      { oneOf: [text, { type: 'null' }] },
    ],
    'items that get wider': [{ items: text }, { items: { type: ['string', 'number'] } }],
    'a value of a map that gets wider': [
      object({}, { additionalProperties: text }),
      object({}, { additionalProperties: { type: ['string', 'null'] } }),
    ],
    'a member of a map with its type': [
      object({}, { additionalProperties: text }),
      object({ a: text }, { additionalProperties: text }),
    ],
  };
  for (const [what, [before, after]] of Object.entries(compatible)) {
    it(`accepts a change: ${what}`, () => expect(breaks(before, after)).to.deep.equal([]));
  }

  const breaking: Readonly<Record<string, readonly [Schema, Schema, readonly string[]]>> = {
    'a member that goes': [object({ a: text, b: text }), object({ a: text }), ['data.b']],
    'a nested member that goes': [
      object({ a: object({ b: text }) }),
      object({ a: object({}) }),
      ['data.a.b'],
    ],
    'a member that becomes required': [
      object({ a: text }),
      object({ a: text }, { required: ['a'] }),
      ['data.a'],
    ],
    'a new member that is required': [
      object({}),
      object({ 'a b': text }, { required: ['a b'] }),
      ['data["a b"]'],
    ],
    'a type that goes': [
      object({ a: { type: ['string', 'null'] } }),
      object({ a: text }),
      ['data.a'],
    ],
    'a type that comes': [object({ a: {} }), object({ a: text }), ['data.a']],
    'number to integer': [{ type: 'number' }, { type: 'integer' }, ['data']],
    'a value that goes': [{ enum: ['a', 'b'] }, { enum: ['a'] }, ['data']],
    'values that come': [text, { ...text, enum: ['a'] }, ['data']],
    'a constant that changes': [{ const: 1 }, { const: 2 }, ['data']],
    'narrower limits': [
      { minLength: 1, maximum: 4 },
      { minLength: 2, maximum: 3 },
      ['data', 'data'],
    ],
    'limits that come': [{}, { maxItems: 9 }, ['data']],
    'a pattern that changes': [{ pattern: '^a' }, { pattern: '^b' }, ['data']],
    'a format that comes': [text, { ...text, format: 'email' }, ['data']],
    'an object that closes': [
      object({}),
      object({}, { additionalProperties: false }),
      ['data["*"]'],
    ],
    'items that get narrower': [
      object({ a: { items: { type: ['string', 'null'] } } }),
      object({ a: { items: text } }),
      ['data.a["*"]'],
    ],
    'a definition that gets narrower': [
      object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: {} } }),
      object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: text } }),
      ['data.a'],
    ],
    'a definition inside alternatives': [
      { anyOf: [{ $ref: '#/$defs/x' }], $defs: { x: {} } },
      { anyOf: [{ $ref: '#/$defs/x' }], $defs: { x: text } },
      ['data'],
    ],
    'alternatives that even grow': [
      { anyOf: [text] },
      { anyOf: [text, { type: 'null' }] },
      ['data'],
    ],
    'a condition that comes': [{}, { if: text, then: { maxLength: 1 } }, ['data', 'data']],
    'a member of a map with another type': [
      object({}, { additionalProperties: text }),
      object({ a: { type: 'number' } }, { additionalProperties: text }),
      ['data.a'],
    ],
    'a member that a pattern may match': [
      object({}, { patternProperties: { '^a': text } }),
      object({ ab: { type: 'number' } }, { patternProperties: { '^a': text } }),
      ['data.ab'],
    ],
    'an object whose other members nothing evaluates any more': [
      object({}, { unevaluatedProperties: false, additionalProperties: true }),
      object({}, { unevaluatedProperties: false }),
      ['data'],
    ],
    'a value that becomes impossible': [object({ a: {} }), object({ a: false }), ['data.a']],
  };
  for (const [what, [before, after, paths]] of Object.entries(breaking)) {
    it(`refuses a change: ${what}`, () => expect(breaks(before, after)).to.deep.equal(paths));
  }

  it('reports at most 20 changes', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, text]));
    expect(breaks(object(many), object({}))).to.have.lengthOf(20);
  });
});

describe('what breaks a schema', () => {
  it('accepts no change after which declared data is no longer valid', () => {
    const value = fc.constantFrom<unknown>(null, true, 0, 1, 7, 'a', 'bb', 'ccc');
    const limit = fc.integer({ min: 0, max: 8 });
    const types = fc.uniqueArray(
      fc.constantFrom('string', 'number', 'integer', 'null', 'boolean'),
      {
        minLength: 1,
      },
    );

    const optional = <Value>(inner: fc.Arbitrary<Value>) =>
      fc.option(inner, { nil: undefined, freq: 2 });
    const leaf = fc.record({
      type: optional(types),
      enum: optional(fc.uniqueArray(value, { minLength: 1 })),
      const: optional(value),
      minLength: optional(limit),
      maximum: optional(limit),
      exclusiveMinimum: optional(limit),
      not: optional(fc.constant({ const: 7 })),
    });

    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'));
    const whole = fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), leaf, { maxKeys: 3 }),
      required: optional(names),
      additionalProperties: optional(fc.oneof(fc.boolean(), leaf)),
      maxProperties: optional(limit),
    });

    const data = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value);

    // The same schema with single keywords changed breaks nothing more often than two random ones.
    const pair = fc.tuple(whole, whole, fc.boolean()).map(([before, other, near]) => {
      const clean = (schema: unknown) => JSON.parse(JSON.stringify(schema)) as Schema;
      return [
        clean(before),
        clean(near ? { ...before, required: other.required } : other),
      ] as const;
    });

    let compared = 0;
    fc.assert(
      fc.property(
        pair,
        fc.array(data, { minLength: 5, maxLength: 20 }),
        ([before, after], samples) => {
          if (breaks(before, after).length > 0) return;

          compared += 1;

          const old = compileSchema(before, compilePattern);
          const now = compileSchema(after, compilePattern);
          const { properties, additionalProperties } = before as {
            properties: object;
            additionalProperties?: unknown;
          };

          for (const sample of samples) {
            // What an open object takes beside its members was never declared.
            const isDeclared = (name: string) =>
              name in properties || typeof additionalProperties === 'object';
            const declared = Object.entries(sample).filter(([name]) => isDeclared(name));
            const kept = Object.fromEntries(declared);
            if (old(kept).length === 0) expect(now(kept)).to.deep.equal([]);
          }
        },
      ),
      { numRuns: 1_000, seed: 15 },
    );

    expect(compared).to.be.above(50);
  });
});
