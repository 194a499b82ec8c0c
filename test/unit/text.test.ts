import { expect } from 'chai';
import { lengthOf, mapFaults, textFaults } from '../../src/domain/text.js';

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
const parsed = (json: string): unknown => JSON.parse(json);

describe('textFaults', () => {
  it('H92: refuses NUL and lone surrogates, and nothing else', () => {
    expect(textFaults('f', 'a\0')).to.deep.equal([
      { code: 'invalid_value', detail: 'Must not contain a NUL character.', param: 'f' },
    ]);
    for (const text of ['\ud83c', '\udf89', '\udf89\ud83c', 'a\ud83cb']) {
      expect(textFaults('f', text), JSON.stringify(text)).to.deep.equal([
        { code: 'invalid_value', detail: 'Must not contain a lone surrogate.', param: 'f' },
      ]);
    }
    for (const text of ['', '🎉', '\u0001\n\u007f', '\ufffd', '‮']) {
      expect(textFaults('f', text)).to.deep.equal([]);
    }
  });

  it('A6: counts Unicode code points', () => {
    expect(lengthOf('é🎉')).to.equal(2);
    expect(textFaults('f', '🎉'.repeat(500), { max: 500 })).to.deep.equal([]);
    expect(textFaults('f', '🎉'.repeat(501), { max: 500 })).to.deep.equal([
      { code: 'too_long', detail: 'Must be at most 500 characters.', param: 'f' },
    ]);
    expect(textFaults('f', '', { min: 1 })[0]).to.include({ code: 'invalid_value' });
  });
});

describe('mapFaults', () => {
  it('accepts every well-formed JSON object', () => {
    expect(
      mapFaults('m', { a: [1, 'x', null, true, { b: {} }], 'k y': 'é', 1: 1e300 }),
    ).to.deep.equal([]);
    expect(mapFaults('m', nested(64))).to.deep.equal([]);
  });

  it('H92: refuses bad text in values and keys, __proto__, infinity and depth over 64', () => {
    for (const map of [
      { a: ['\0'] },
      { '\ud800': 1 },
      { a: { '\0': 1 } },
      parsed('{"a":{"__proto__":1}}'),
      parsed('{"a":1e400}'),
      nested(65),
      { a: undefined },
    ]) {
      const faults = mapFaults('m', map);
      expect(faults).to.have.length(1);
      expect(faults[0]).to.include({ code: 'invalid_value', param: 'm' });
    }
  });

  it('refuses what is no object', () => {
    for (const value of [null, [], 'x', 1, undefined]) {
      expect(mapFaults('m', value)[0]).to.include({ code: 'invalid_type', param: 'm' });
    }
  });
});
