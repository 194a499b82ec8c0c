import { expect } from 'chai';
import { GraphQLError, parseValue } from 'graphql';
import { DateTime, Json, MinorUnits } from '../../../src/graphql/scalars.js';

const literal = (text: string) => parseValue(text);

describe('DateTime', () => {
  it('writes a timestamp in UTC with milliseconds (H13)', () => {
    expect(DateTime.serialize(new Date('2026-11-20T12:00:00Z'))).to.equal(
      '2026-11-20T12:00:00.000Z',
    );
  });

  it('refuses to write anything but dates', () => {
    expect(() => DateTime.serialize('2026-11-20T12:00:00Z')).to.throw(TypeError);
  });

  it('reads any zone, from variables and from literals', () => {
    const noon = new Date('2026-11-20T12:00:00Z').getTime();
    expect(DateTime.parseValue('2026-11-20T13:00:00.000+01:00').getTime()).to.equal(noon);
    expect(DateTime.parseLiteral(literal('"2026-11-20T12:00:00Z"')).getTime()).to.equal(noon);
    expect(DateTime.parseValue(new Date(noon)).getTime()).to.equal(noon);
  });

  const refused = [
    '2026-02-30T00:00:00Z',
    '2026-11-31T12:00:00+01:00',
    '2026-11-20T24:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-20',
    'now',
    '2026-11-20T12:00:00',
    7,
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => DateTime.parseValue(text)).to.throw(GraphQLError);
    });
  }
});

describe('MinorUnits', () => {
  it('holds integers beyond 32 bits', () => {
    expect(MinorUnits.serialize(9_007_199_254_740_991)).to.equal(9_007_199_254_740_991);
    expect(MinorUnits.parseLiteral(literal('9007199254740991'))).to.equal(9_007_199_254_740_991);
  });

  for (const value of [1.5, 2 ** 53, '1', Infinity, null]) {
    it(`refuses ${String(value)}`, () => {
      expect(() => MinorUnits.parseValue(value)).to.throw(GraphQLError);
    });
  }

  it('refuses literals that JavaScript cannot hold', () => {
    expect(() => MinorUnits.parseLiteral(literal('9007199254740993'))).to.throw(GraphQLError);
    expect(() => MinorUnits.parseLiteral(literal('1.0'))).to.throw(GraphQLError);
  });
});

describe('JSON', () => {
  it('reads a literal as the value it spells', () => {
    const value = Json.parseLiteral(literal('{ b: [1, 2.5, null, true], a: "x", c: { d: $v } }'), {
      v: 'variable',
    });
    expect(value).to.deep.equal({ b: [1, 2.5, null, true], a: 'x', c: { d: 'variable' } });
    expect(Object.keys(value as object)).to.deep.equal(['b', 'a', 'c']);
  });

  it('reads __proto__ as an ordinary name, for the domain to refuse', () => {
    const value = Json.parseLiteral(literal('{ __proto__: { polluted: true } }')) as object;
    expect(Object.keys(value)).to.deep.equal(['__proto__']);
    expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
  });

  it('rounds fractions, and keeps integers in every spelling', () => {
    const value = Json.parseLiteral(literal('[0.12345678901234567890, 1e2, 90071992547409910e-1]'));
    expect(value).to.deep.equal([0.12345678901234568, 100, 9_007_199_254_740_991]);
  });

  for (const text of ['9007199254740993', '9007199254740993.0', '1e999', '1e-400', 'bare']) {
    it(`refuses the literal ${text}`, () => {
      expect(() => Json.parseLiteral(literal(text))).to.throw(GraphQLError);
    });
  }
});
