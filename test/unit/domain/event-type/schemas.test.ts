import { expect } from 'chai';
import {
  type CompilePattern,
  compileSchema,
  maxSteps,
  stepCounter,
} from '../../../../src/domain/event-type/compile-schema.js';
import { compilePattern } from '../../../../src/domain/event-type/patterns.js';
import {
  schemaIssues,
  eventTypeIssues,
} from '../../../../src/domain/event-type/validate-event-type.js';
import { planEventType } from '../../../../src/domain/event-type/put-event-types.js';

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
    it(`H251: refuses to compare data that takes too many steps because of ${name}`, () => {
      expect(schemaIssues('schema', schema), 'it can be put').to.deep.equal([]);
      const matched: string[] = [];
      const validate = compileSchema(schema, spying(matched));
      const spent: number[] = [];
      const [issue, ...others] = validate(data, (steps) => void spent.push(steps));
      expect(issue).to.include({ code: 'schema_too_slow', param: 'data' });
      expect([others, matched, spent]).to.deep.equal([[], [], [maxSteps]]);
      expect(validate({})).to.deep.equal([]);
    });
  }

  it('H251: an ordinary event takes few steps, and so does a large one', () => {
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

  it('H251: counts at least as many steps as the patterns take', () => {
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
          spying(matched, (steps) => (taken += steps)),
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

const refusal = (schema: Schema) => {
  const [issue] = schemaIssues('schema', schema);
  return issue && `${issue.param} ${issue.detail}`;
};
const input = (changes: object = {}) => ({
  id: 'shop.order.shipped',
  category: 'shop',
  summary: 'Shipped',
  description: 'It left.',
  offered: true,
  validation: 'enforce' as const,
  versions: [{ version: 'v1', schema: { type: 'object' }, example: {} }],
  ...changes,
});

describe('a schema of an operator', () => {
  it('accepts a schema with every keyword that it may use', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { $ref: '#/$defs/x~1y' }, b: { type: 'array', uniqueItems: true } },
      patternProperties: { '^x-': true },
      $defs: { 'x/y': { type: 'string', pattern: '^[a-z]{2}$', 'x-owner': 'me' } },
    };

    expect(refusal(schema)).to.equal(undefined);

    const validate = compileSchema(schema, compilePattern);
    expect(validate({ a: 'ab', b: [1, '1', { c: 1 }] })).to.deep.equal([]);

    const paths = validate({
      a: 'A',
      b: [
        { c: 1, d: 2 },
        { d: 2, c: 1 },
      ],
    }).map(({ param }) => param);
    expect(paths).to.deep.equal(['data.a', 'data.b']);
  });

  it('refuses a schema that could be slow or is invalid, and names the path', () => {
    const refused: readonly (readonly [Schema, RegExp])[] = [
      [{ type: 'text' }, /^schema\.type Is not a valid JSON Schema \(2020-12\)/],
      [{ properties: { a: 1 } }, /^schema\.properties\.a Is not a valid JSON Schema/],
      [{ $schema: 'http://json-schema.org/draft-07/schema#' }, /^schema\.\$schema Must be https/],
      [{ requried: ['a'] }, /^schema\.requried Is not a keyword that/],
      [
        { properties: { a: { $id: 'x' } } },
        /^schema\.properties\.a\["?\$id|^schema\.properties\.a\.\$id Is not a keyword/,
      ],
      [{ $dynamicRef: '#a' }, /Is not a keyword that/],
      [{ $ref: 'https://shop.example/a.json' }, /^schema\.\$ref Must refer to an entry of \$defs/],
      [{ $ref: '#/$defs/none' }, /Must refer to an entry/],
      [
        { items: { $ref: '#/$defs/a' }, $defs: { a: { items: { $ref: '#/$defs/a' } } } },
        /Circular \$ref\./,
      ],
      [{ pattern: '(?=a)b' }, /^schema\.pattern Must be a valid RE2 pattern/],
      [{ patternProperties: { '(a)\\1': true } }, /Must be a valid RE2 pattern/],
      [{ pattern: '^(?:[a-z]{1,500}x?){2}$' }, /Must be a valid RE2 pattern/],
    ];
    for (const [schema, detail] of refused) expect(refusal(schema)).to.match(detail);
  });

  it('refuses a schema whose patterns together are slow, or whose unused definition is wrong', () => {
    const pattern = '^[a-z]{1,200}$';
    const names = Array.from({ length: 20 }, (_, at) => `m${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { pattern }]));
    expect(refusal({ properties: { m0: { pattern } } })).to.equal(undefined);
    expect(refusal({ properties })).to.match(/^schema\.properties\.m\d+\.pattern Must be simpler/);
    const twice = { a: { $anchor: 'x' }, b: { $anchor: 'x' } };
    expect(refusal({ $defs: twice })).to.match(/^schema\.\$defs\.a\.\$anchor Is not a keyword/);
  });

  it('refuses a schema whose references multiply', () => {
    const names = Array.from({ length: 12 }, (_, at) => `d${at}`);
    const twice = (name: string) => ({
      allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }],
    });
    const $defs = Object.fromEntries(names.map((name, at) => [name, twice(`d${at + 1}`)]));
    expect(refusal({ ...twice('d0'), $defs: { ...$defs, d12: {} } })).to.match(
      /at most 500 subschemas/,
    );
  });

  it('reports one error in large data, and 20 in small data', () => {
    const schema = { type: 'object', additionalProperties: { type: 'string' } };
    const validate = compileSchema(schema, compilePattern);
    const data = (size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, at) => [`m${at}`, at]));
    expect(validate(data(900))).to.have.lengthOf(20);
    expect(validate(data(50_000))).to.have.lengthOf(1);
  });

  it('matches a text that makes other engines slow, but none of more than 4,096 characters', () => {
    const pattern = compilePattern('^(a|a)*$');
    const test = (text: string) => pattern.test(text);
    expect(test(`${'a'.repeat(4_000)}b`)).to.equal(false);
    expect([test('a'.repeat(4_096)), test('a'.repeat(4_097))]).to.deep.equal([true, false]);
  });
});

describe('an event type of an operator', () => {
  const paths = (changes: object) => eventTypeIssues(input(changes)).map(({ param }) => param);

  it('refuses an event type with an issue for each wrong member', () => {
    expect(paths({})).to.deep.equal([]);

    expect(paths({ id: 'Shipped', category: 'A b', summary: '', description: '' })).to.deep.equal([
      'id',
      'category',
      'summary',
      'description',
    ]);

    const version = { version: 'v1', schema: { type: 'object', required: ['a'] }, example: {} };
    expect(paths({ versions: [version] })).to.deep.equal(['versions.v1.example.a']);
    expect(paths({ versions: [{ ...version, version: '1' }] })).to.deep.equal(['versions']);

    const large = { ...version, example: { a: 'x'.repeat(65_536) } };
    expect(paths({ versions: [large] })).to.deep.equal(['versions.v1.example']);

    const twice = { ...version, example: { a: 1 } };
    expect(paths({ versions: [twice, twice] })).to.deep.equal(['versions']);
  });

  const put = (before: ReturnType<typeof input> | undefined, changes: object) =>
    planEventType(before && { ...before, listed: true, sent: true }, input(changes));

  it('changes only what differs', () => {
    expect(put(undefined, {}).changes).to.deep.equal(['is new', 'v1 is new']);
    expect(put(input(), {}).changes).to.deep.equal([]);
    const wider = { version: 'v1', schema: { properties: {} }, example: { a: 1 } };
    const next = { version: 'v2', schema: { required: ['a'] }, example: { a: 1 } };
    const { changes, after } = put(input(), { offered: false, versions: [next, wider] });
    expect(changes).to.deep.equal([
      'offered: true becomes false',
      'the schema of v1 changes',
      'the example of v1 changes',
      'v2 is new',
    ]);
    expect(after.versions.map(({ version }) => version)).to.deep.equal(['v1', 'v2']);
  });

  it('keeps versions that are not named, and refuses a change that breaks one', () => {
    expect(put(input(), { versions: [] }).after.versions).to.have.lengthOf(1);

    const narrower = {
      version: 'v1',
      schema: { type: 'object', required: ['a'] },
      example: { a: 1 },
    };

    expect(put(input(), { versions: [narrower] }).issues).to.deep.equal([
      {
        code: 'breaking_schema_change',
        param: 'versions.v1.schema',
        detail: 'data.a: Becomes required. Add a version for it.',
      },
    ]);
  });

  it('accepts no schema for a type of the service, and requires one for any other', () => {
    const own = { id: 'invoice.issued', versions: input().versions };
    expect(put(undefined, own).issues[0]).to.include({ param: 'versions' });
    expect(put(undefined, { versions: [] }).issues[0]).to.include({ code: 'too_few_items' });
  });
});
