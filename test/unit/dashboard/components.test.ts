import { expect } from 'chai';
import { escapeHidden, textParts } from '../../../dashboard/src/components/data-text-parts.js';
import { jsonLines, unfoldedLines } from '../../../dashboard/src/components/json-lines.js';
import { scrollTopToShow, windowRange } from '../../../dashboard/src/components/window-range.js';

const shown = (value: string) => textParts(value).map(({ text }) => text);

describe('a text from outside', () => {
  it('shows an ordinary text as it is', () => {
    expect(textParts('Grüße, 世界 👩‍🚀\n\t<script>')).to.deep.equal([
      { text: 'Grüße, 世界 👩‍🚀\n\t<script>', escape: false },
    ]);
    expect(textParts('')).to.deep.equal([]);
  });

  it('shows characters that hide or reorder other characters as escapes', () => {
    expect(textParts('user\u202egpj.exe')).to.deep.equal([
      { text: 'user', escape: false },
      { text: '\\u202e', escape: true },
      { text: 'gpj.exe', escape: false },
    ]);

    expect(shown('\u0000\u001b\r\u007f\u009b')).to.deep.equal([
      '\\u0000',
      '\\u001b',
      '\\u000d',
      '\\u007f',
      '\\u009b',
    ]);

    expect(shown('\u2066\u2069\u200b\ufeff\u{e0041}')).to.deep.equal([
      '\\u2066',
      '\\u2069',
      '\\u200b',
      '\\ufeff',
      '\\u{e0041}',
    ]);

    expect(shown('\ud800x')).to.deep.equal(['\\ud800', 'x']);
  });

  it('shows the same escapes in titles of tabs, options and attributes', () => {
    expect(escapeHidden('Grüße, \u202e世界\u200b')).to.equal('Grüße, \\u202e世界\\u200b');
    expect(escapeHidden('')).to.equal('');
  });
});

/** The lines as a reader sees them. */
function laidOut(source: string): readonly string[] | undefined {
  return jsonLines(source)?.map(
    ({ depth, key, value, comma }) =>
      `${'  '.repeat(depth)}${key === undefined ? '' : `${key}: `}${value}${comma ? ',' : ''}`,
  );
}

describe('lines of JSON', () => {
  it('keeps every digit, the order of members, and duplicate members', () => {
    expect(laidOut('{"b":12345678901234567890.10,"2":1e400,"a":"x","b":-0}')).to.deep.equal([
      '{',
      '  "b": 12345678901234567890.10,',
      '  "2": 1e400,',
      '  "a": "x",',
      '  "b": -0',
      '}',
    ]);
  });

  it('shows containers, empty containers, and strings that look like JSON', () => {
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

  it('formats deeply nested JSON, which a receiver may answer', () => {
    expect(jsonLines('['.repeat(50_000) + ']'.repeat(50_000))).to.have.length(99_999);
  });

  it('returns undefined for a text that is not JSON', () => {
    for (const source of ['', '<html>', '{"a":1', '{a:1}', 'NaN', '1 2']) {
      expect(jsonLines(source), source).to.equal(undefined);
    }
  });

  it('folds a container to the line that opens it', () => {
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

describe('rows of a windowed list', () => {
  it('renders visible rows, with ten to spare on both sides', () => {
    const viewport = { height: 800, rowHeight: 40, count: 10_000 };
    expect(windowRange({ ...viewport, scrollTop: 0 })).to.deep.equal({ start: 0, end: 31 });
    expect(windowRange({ ...viewport, scrollTop: 4_000 })).to.deep.equal({ start: 90, end: 131 });
    expect(windowRange({ ...viewport, scrollTop: 399_200 })).to.deep.equal({
      start: 9_969,
      end: 10_000,
    });
  });

  it('renders all rows of a short list', () => {
    const viewport = { scrollTop: 0, height: 800, rowHeight: 40 };
    expect(windowRange({ ...viewport, count: 3 })).to.deep.equal({ start: 0, end: 3 });
    expect(windowRange({ ...viewport, count: 0 })).to.deep.equal({ start: 0, end: 0 });
  });

  it('renders rows even when the list became shorter than its scroll position', () => {
    const range = windowRange({ scrollTop: 40_000, height: 800, rowHeight: 40, count: 50 });
    expect(range).to.deep.equal({ start: 19, end: 50 });
  });

  it('scrolls a row into view, and no further', () => {
    const viewport = { scrollTop: 400, height: 800, rowHeight: 40 };
    expect(scrollTopToShow(5, viewport)).to.equal(200);
    expect(scrollTopToShow(10, viewport)).to.equal(400);
    expect(scrollTopToShow(29, viewport)).to.equal(400);
    expect(scrollTopToShow(30, viewport)).to.equal(440);
  });
});
