import { expect } from 'chai';
import fc from 'fast-check';
import { breakingChanges } from '../../../src/domain/event-type/compatibility.js';
import { compileSchema } from '../../../src/domain/event-type/compile-schema.js';
import { compilePattern } from '../../../src/domain/event-type/patterns.js';
import { expandSchema } from '../../../src/domain/event-type/validate-event-type.js';

type Schema = Record<string, unknown>;

const expand = (schema: Schema) => expandSchema(schema, { root: 'schema', compilePattern });
const breaks = (before: Schema, after: Schema) =>
  breakingChanges(expand(before), expand(after)).map(({ path }) => path);

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
