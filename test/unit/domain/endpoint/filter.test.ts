import { expect } from 'chai';
import {
  isProblem,
  mapFilterTexts,
  parseFilter,
  toJsonPath,
} from '../../../../src/domain/endpoint/filter.js';

/** Returns the position of the refused character and why; undefined for a filter. */
function refusalOf(text: string): string | undefined {
  const result = parseFilter(text);
  return isProblem(result) ? `${result.position} ${result.detail}` : undefined;
}

function pathOf(text: string): string {
  const result = parseFilter(text);
  if (isProblem(result)) throw new Error(result.detail);
  return toJsonPath(result);
}

const times = (count: number, text: string, sign: string) => Array(count).fill(text).join(sign);

describe('the filter of an endpoint', () => {
  for (const text of [
    '$.data.totals.total_minor_units >= 10000 && $.data.currency == "EUR"',
    '$.data.currency=="EUR"',
    ' ( $.data.a == 1 || $.data.b == 2 ) && ! ( $.data.c == null ) ',
    '!exists($.data.coupon)',
    '!!exists ( $.data.coupon )',
    '$.data.line_items[*].sku starts with "BOOK-"',
    '$.data.tags[*] == "new"',
    'exists($.data.tags[*])',
    '$.data."odd \\"name\\"" != true',
    '$.data.n < -1.5e3',
    '$.data.text == "a\\u00e9\\n\\/"',
    '$.type == "cart.order.completed" && $.test == false',
    '$.data.a == "\u{1f600}"\n|| $.data.a == "b"',
  ]) {
    it(`H294: accepts ${JSON.stringify(text)}`, () => {
      expect(refusalOf(text)).to.equal(undefined);
    });
  }

  for (const [text, refusal] of [
    ['', '1 Expected a comparison'],
    ['   ', '4 Expected a comparison'],
    ['$.data.a', '9 Expected ==, !=,'],
    ['$.data.a = 1', '10 Write == in place of =.'],
    ['$.data.a <> 1', '10 Write != in place of <>.'],
    ['$.data.a == $.data.b', '13 A path is compared with'],
    ['$.data.**', '8 Filters have no wildcard'],
    ['$.data.*', '8 Filters have no wildcard'],
    ['$.data[0] == 1', '7 Only [*] is possible'],
    ['$.data[0 to last] == 1', '7 Only [*] is possible'],
    ['$.data.a[*].b[*] == 1', '14 A path has at most one [*].'],
    ['$[*].a == 1', '2 An event is not an array.'],
    ['$.data.a ? (@ == 1)', '10 Filters have no ?()'],
    ['$.data.a.size() == 1', '10 Filters have no methods.'],
    ['$.data.a + 1 == 2', '10 Filters have no arithmetic'],
    ['$.data.a like_regex "^a"', '10 Filters have no patterns.'],
    ['$.data.a starts with 5', '22 starts with takes a text'],
    ['$.data.a < null', '10 true, false and null have no order'],
    ['$.data.a == 01', '13 Not a number'],
    ['$.data.a == 1.', '13 Not a number'],
    ['$.data.a == 0x1F', '13 Not a number'],
    ['$.data.a == 1_000', '13 Not a number'],
    ['$.data.a == 1e401', '13 A number has at most'],
    [`$.data.a == ${'1'.repeat(41)}`, '13 A number has at most'],
    ['$.data.a == EUR', '13 Expected a text in double quotes'],
    ["$.data.a == 'EUR'", '13 Write texts in double quotes.'],
    ['$.data.a == "EUR', '13 This text is not closed.'],
    ['$.data.a == "a\\x41"', '15 Unknown escape.'],
    ['$.data.a == "a\nb"', '15 Escape control characters'],
    ['$.data.a == "\\u0000"', '13 Must not contain a NUL character.'],
    ['$.data.a == "\\ud800"', '13 Must not contain a lone surrogate.'],
    ['$.date.a == 1', '3 An event has no such member.'],
    ['$ == 1', '2 Expected a member'],
    ['!$.data.a == 1', '2 Expected ( or exists after !.'],
    ['($.data.a == 1', '1 This ( is not closed.'],
    ['$.data.a == 1)', '14 This ) closes nothing.'],
    ['$.data.a == 1 and $.data.b == 1', '15 Expected && or ||'],
    ['exists $.data.a', '8 Expected ( after exists.'],
    ['exists($.data.a == 1)', '17 exists contains one path.'],
    ['@.data.a == 1', '1 Expected a path'],
    ['strict $.data.a == 1', '1 Expected a path'],
    ['$.data.a == "\u{1f600}" ?', '17 Expected && or ||'],
    [times(11, '$.data.a == 1', ' || '), '171 A filter has at most 10 comparisons.'],
    [`$.data.a == "${'\u{1f600}'.repeat(1_000)}"`, '1001 A filter has at most 1,000'],
    [times(6, '$.data.a[*].b == 1', '||'), '109 Too much of arrays'],
  ] as const) {
    it(`H294: refuses ${JSON.stringify(Array.from(text).slice(0, 50).join(''))} and names the character`, () => {
      expect(refusalOf(text)?.startsWith(refusal), refusalOf(text)).to.equal(true);
    });
  }

  it('H294: accepts ten comparisons, and five with members of items', () => {
    expect(refusalOf(times(10, '$.data.a == 1', ' || '))).to.equal(undefined);
    expect(refusalOf(times(5, '$.data.a[*].b == 1', ' || '))).to.equal(undefined);
    expect(refusalOf(times(10, '$.data.a[*] == 1', ' || '))).to.equal(undefined);
  });

  it('writes a strict jsonpath from the tree, in which texts are quoted', () => {
    expect(pathOf('$.data.a == "\\") || (true"')).to.equal(
      String.raw`strict exists($ ? (@."data"."a" == "\") || (true"))`,
    );
    expect(pathOf('!(!($.data.a == 1))')).to.equal(pathOf('$.data.a == 1'));
    expect(pathOf(`${'!('.repeat(300)}$.data.a == 1${')'.repeat(300)}`).length).to.be.below(100);
  });

  it('replaces texts, and stays a filter', () => {
    const text = '$.data."jo@x.example" == "jo@x.example" && $.data.n == 5';
    const after = mapFilterTexts(text, (one) => (one.includes('@') ? 'erased' : one));
    expect(after).to.equal('$.data."erased" == "erased" && $.data.n == 5');
    expect(refusalOf(after)).to.equal(undefined);
  });
});
