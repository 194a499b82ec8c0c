import { expect } from 'chai';
import { jsonLines, unfoldedLines } from '../../../dashboard/src/components/json-lines.js';

/** The lines as a reader sees them. */
function laidOut(source: string): readonly string[] | undefined {
  return jsonLines(source)?.map(
    ({ depth, key, value, comma }) =>
      `${'  '.repeat(depth)}${key === undefined ? '' : `${key}: `}${value}${comma ? ',' : ''}`,
  );
}

describe('lines of JSON', () => {
  it('keep every digit, the order of members, and duplicate members', () => {
    expect(laidOut('{"b":12345678901234567890.10,"2":1e400,"a":"x","b":-0}')).to.deep.equal([
      '{',
      '  "b": 12345678901234567890.10,',
      '  "2": 1e400,',
      '  "a": "x",',
      '  "b": -0',
      '}',
    ]);
  });

  it('show containers, empty containers, and strings that look like JSON', () => {
    expect(laidOut(' {"a":[{},[ ],{"k":"\\"}: {,"}],"c":null } ')).to.deep.equal([
      '{',
      '  "a": [',
      '    {},',
      '    [],',
      '    {',
      '      "k": "\\"}: {,"',
      '    }',
      '  ],',
      '  "c": null',
      '}',
    ]);

    expect(laidOut('"<b>"')).to.deep.equal(['"<b>"']);
  });

  it('format deeply nested JSON, which a receiver may answer', () => {
    expect(jsonLines('['.repeat(50_000) + ']'.repeat(50_000))).to.have.length(99_999);
  });

  it('are undefined for a text that is not JSON', () => {
    for (const source of ['', '<html>', '{"a":1', '{a:1}', 'NaN', '1 2']) {
      expect(jsonLines(source), source).to.equal(undefined);
    }
  });

  it('fold to the line that opens a container', () => {
    const lines = jsonLines('{"a":[1,2],"b":{"c":3}}') ?? [];
    expect(lines.map(({ size }) => size)).to.deep.equal([
      2,
      2,
      ...Array<undefined>(3),
      1,
      ...Array<undefined>(3),
    ]);
    expect(unfoldedLines(lines, new Set())).to.have.length(9);
    expect(unfoldedLines(lines, new Set([1]))).to.deep.equal([0, 1, 5, 6, 7, 8]);
    expect(unfoldedLines(lines, new Set([0, 1]))).to.deep.equal([0]);
  });
});
