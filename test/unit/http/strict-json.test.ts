import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidJson, maxNesting, readJson, TooManyValues } from '../../../src/http/strict-json.js';

const read = (text: string | Buffer) => readJson(Buffer.from(text as string));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('readJson (H92)', () => {
  it('reads what JSON.parse reads, from any valid text', () => {
    const json = fc.json({ maxDepth: 8 });
    fc.assert(
      fc.property(json, (text) => {
        // Integers of that size are refused on purpose.
        fc.pre(!/\d{16}/.test(text));
        const value = JSON.parse(text) as unknown;
        // fast-check makes -0, which JSON.stringify turns into 0 in both.
        expect(JSON.stringify(read(JSON.stringify(value)))).to.equal(JSON.stringify(value));
      }),
    );
  });

  it('returns a value or throws InvalidJson, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readJson(bytes);
        } catch (error) {
          expect(error).to.be.instanceOf(InvalidJson);
        }
      }),
      { numRuns: 500 },
    );
  });

  const refused: Readonly<Record<string, string | Buffer>> = {
    'a syntax error': '{"a":}',
    'nothing but white space': '  ',
    'an unended string': '{"a": "b',
    'a trailing backslash': '{"a\\',
    'two values': '{} {}',
    NaN: '{"a": NaN}',
    'a number that a double cannot hold': '{"a": 1e400}',
    'a negative number that a double cannot hold': '{"a": -1e999}',
    'an integer beyond 2^53 - 1': '{"a": 9007199254740992}',
    'an integer with a fraction of zeros whose value would change': '{"a": 9007199254740993.0}',
    'an integer with an exponent whose value would change': '[90071992547409930e-1]',
    'a large integer with more digits than a double has': '[-1234567890123456789e20]',
    'a number that would become 0': '{"a": 1e-400}',
    'a negative number that would become 0': '[-2E-324]',
    'a number that would become 0, without an exponent': `[0.${'0'.repeat(400)}1]`,
    'an integer beyond -(2^53 - 1)': '[-9007199254740993]',
    'a name twice': '{"a": 1, "a": 1}',
    'a name twice, once escaped': '{"a": 1, "\\u0061": 2}',
    'a name twice in an inner object': '{"b": [{"c": {"a": 1, "x": [1, {}], "a": 2}}]}',
    '__proto__ twice': '{"__proto__": 1, "__proto__": 2}',
    'malformed UTF-8': Buffer.from([0x22, 0xe9, 0x22]),
    'an overlong NUL': Buffer.from([0x22, 0xc0, 0x80, 0x22]),
    'a surrogate in UTF-8': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    'UTF-16': Buffer.from('{}', 'utf16le'),
    'nesting of 65': nested(maxNesting + 1),
    'nesting of 500,000': nested(500_000),
    'opening brackets only': '['.repeat(500_000),
    'a raw control character': '"a\u0001"',
  };
  for (const [name, text] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      expect(() => read(text)).to.throw(InvalidJson);
    });
  }

  const accepted: Readonly<Record<string, [string, unknown]>> = {
    'a byte order mark': ['\ufeff{"a":1}', { a: 1 }],
    'nesting of 64': [nested(maxNesting), JSON.parse(nested(maxNesting))],
    'the largest exact integers': [
      '[9007199254740991,-9007199254740991]',
      [2 ** 53 - 1, 1 - 2 ** 53],
    ],
    'a large number with a fraction or an exponent': [
      '[123456789012345.5,1e300]',
      [123456789012345.5, 1e300],
    ],
    'an integer with a fraction of zeros or an exponent': [
      '[9007199254740991.0,90071992547409910e-1,1e21,1.0e+23,10e20]',
      [2 ** 53 - 1, 2 ** 53 - 1, 1e21, 1e23, 1e21],
    ],
    'zero in every spelling': ['[0,0.0,0e400,0E-400,0.000000000000000000]', [0, 0, 0, 0, 0]],
    'a fraction that a double rounds': [
      '[9007199254740993.5,0.12345678901234567890,4e-324]',
      [9007199254740994, 0.12345678901234568, 5e-324],
    ],
    'a fraction of many digits': ['[0.9234567890123456]', [0.9234567890123456]],
    'the same name in different objects': [
      '[{"a":1},{"a":1},{"b":{"a":1}}]',
      [{ a: 1 }, { a: 1 }, { b: { a: 1 } }],
    ],
    'a value that equals a name': ['{"a":"b","b":"a"}', { a: 'b', b: 'a' }],
    'names and values with brackets, colons and quotes': [
      '{"a{:\\"":"}],[:","b":"\\\\"}',
      { 'a{:"': '}],[:', b: '\\' },
    ],
    'strings that look like numbers': ['["9007199254740993"]', ['9007199254740993']],
  };
  for (const [name, [text, value]] of Object.entries(accepted)) {
    it(`accepts ${name}`, () => {
      expect(read(text)).to.deep.equal(value);
    });
  }

  it('counts members and items, and stops before anything is built', () => {
    const bytes = (text: string) => Buffer.from(text);

    for (const [text, count] of [
      ['{"a":1,"b":2,"c":3}', 3],
      ['[1,2,[3,4],{"a":5}]', 7],
      ['{"a":{"b":{}},"c":[]}', 5],
      ['["a,b{[", "\\\\",{"x":","}]', 4],
      ['1', 0],
    ] as const) {
      expect(readJson(bytes(text), count), text).to.deep.equal(JSON.parse(text));
      if (count === 0) continue;
      expect(() => readJson(bytes(text), count - 1), text).to.throw(TooManyValues);
    }

    expect(() => readJson(bytes('[1,2,3, and no JSON'), 2)).to.throw(TooManyValues);
  });

  it('keeps a member named __proto__ as a member', () => {
    expect(Object.keys(read('{"__proto__": {"a": 1}}') as object)).to.deep.equal(['__proto__']);
  });

  it('reads a mebibyte of the worst kind in linear time', function () {
    // In quadratic time it would take a minute.
    this.timeout(30_000);
    const texts = [
      `[${'{},'.repeat(349_000)}{}]`,
      `{${Array.from({ length: 110_000 }, (_, name) => `"${(46_656 + name).toString(36)}":1`).join()}}`,
      `["${'\\u0061'.repeat(170_000)}"]`,
      `[${'1,'.repeat(520_000)}1]`,
      `[1.5${'0'.repeat(1_040_000)}1]`,
    ];
    for (const text of texts) read(text);
  });
});
