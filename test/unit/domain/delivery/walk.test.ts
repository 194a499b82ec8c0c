import { expect } from 'chai';
import { walkOf } from '../../../../src/domain/delivery/claiming.js';

describe('the walk of a claim', () => {
  const of = (accountId: string, ...ids: string[]) =>
    ids.map((endpointId) => ({ accountId, endpointId }));
  const rangesOf = (cursor: string, ...passed: string[]) =>
    walkOf(new Map([['a', [9, cursor]]]), 50, of('a', ...passed))['a']?.[1];

  it('is one range without a cursor and without endpoints to pass', () => {
    expect(rangesOf('')).to.deep.equal([['', '~']]);
  });

  it('begins after the cursor, and ends with it', () => {
    expect(rangesOf('m')).to.deep.equal([
      ['m', '~'],
      ['', 'm '],
    ]);
  });

  it('has a range between each two endpoints that it passes, in the order of their bytes', () => {
    expect(rangesOf('', 'b', 'Z', 'a')).to.deep.equal([
      ['', 'Z'],
      ['Z', 'a'],
      ['a', 'b'],
      ['b', '~'],
    ]);
  });

  it('passes endpoints on both sides of the cursor, and the cursor', () => {
    expect(rangesOf('m', 'z', 'c', 'm')).to.deep.equal([
      ['m', 'z'],
      ['z', '~'],
      ['', 'c'],
      ['c', 'm'],
      ['m', 'm '],
    ]);
  });

  it('has no ranges in an account at its limit', () => {
    expect(walkOf(new Map([['a', [0, 'm']]]), 50, of('a', 'x'))).to.deep.equal({ a: [0, []] });
  });

  it('has the capacity of its account, which defaults to that of all', () => {
    const walk = walkOf(new Map([['a', [9, '']]]), 50, of('b', 'x'));
    expect(walk).to.deep.equal({
      a: [9, [['', '~']]],
      b: [
        50,
        [
          ['', 'x'],
          ['x', '~'],
        ],
      ],
    });
  });
});
