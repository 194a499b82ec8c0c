import { expect } from 'chai';
import {
  countCharacters,
  jsonObjectIssues,
  textIssues,
} from '../../../../src/domain/values/text.js';

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const parsed = (json: string): unknown => JSON.parse(json);

describe('textIssues', () => {
  it('H92: refuses a text with NUL or a lone surrogate, and no other', () => {
    expect(textIssues('f', 'a\0')).to.deep.equal([
      { code: 'invalid_value', detail: 'Must not contain a NUL character.', param: 'f' },
    ]);
    for (const text of ['\ud83c', '\udf89', '\udf89\ud83c', 'a\ud83cb']) {
      expect(textIssues('f', text), JSON.stringify(text)).to.deep.equal([
        { code: 'invalid_value', detail: 'Must not contain a lone surrogate.', param: 'f' },
      ]);
    }
    for (const text of ['', '🎉', '\u0001\n\u007f', '\ufffd', '‮']) {
      expect(textIssues('f', text)).to.deep.equal([]);
    }
  });

  it('A6: counts the length of a text in Unicode code points', () => {
    expect(countCharacters('é🎉')).to.equal(2);
    expect(textIssues('f', '🎉'.repeat(500), { max: 500 })).to.deep.equal([]);
    expect(textIssues('f', '🎉'.repeat(501), { max: 500 })).to.deep.equal([
      { code: 'too_long', detail: 'Must be at most 500 characters.', param: 'f' },
    ]);
    expect(textIssues('f', '', { min: 1 })[0]).to.include({ code: 'invalid_value' });
  });
});

describe('jsonObjectIssues', () => {
  it('accepts every well-formed JSON object as a map', () => {
    expect(
      jsonObjectIssues('m', { a: [1, 'x', null, true, { b: {} }], 'k y': 'é', 1: 1e300 }),
    ).to.deep.equal([]);
    expect(jsonObjectIssues('m', nested(64))).to.deep.equal([]);
  });

  it('H92: refuses a map with bad text in values or keys, __proto__, infinity or depth over 64', () => {
    for (const map of [
      { a: ['\0'] },
      { '\ud800': 1 },
      { a: { '\0': 1 } },
      parsed('{"a":{"__proto__":1}}'),
      parsed('{"a":1e400}'),
      nested(65),
      { a: undefined },
    ]) {
      const issues = jsonObjectIssues('m', map);
      expect(issues).to.have.length(1);
      expect(issues[0]).to.include({ code: 'invalid_value', param: 'm' });
    }
  });

  it('refuses a map that is not an object', () => {
    for (const value of [null, [], 'x', 1, undefined]) {
      expect(jsonObjectIssues('m', value)[0]).to.include({ code: 'invalid_type', param: 'm' });
    }
  });
});
