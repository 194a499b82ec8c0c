import { expect } from 'chai';
import { SizedLru } from '../../../src/domain/event-type/sized-lru.js';

describe('SizedLru', () => {
  const classes = [
    { upTo: 10, maxWeight: 30 },
    { upTo: Infinity, maxWeight: 200 },
  ];

  it('keeps small values while large ones displace each other', () => {
    const kept = new SizedLru<number>(classes);
    for (const key of ['a', 'b', 'c']) kept.set(key, 1, 10);
    for (let count = 0; count < 5; count += 1) kept.set(`large${count}`, count, 100);
    expect(['a', 'b', 'c'].map((key) => kept.get(key))).to.deep.equal([1, 1, 1]);
    expect([2, 3, 4].map((count) => kept.get(`large${count}`))).to.deep.equal([undefined, 3, 4]);
  });

  it('keeps the small values that were used last', () => {
    const kept = new SizedLru<number>(classes);
    for (const key of ['a', 'b', 'c']) kept.set(key, 1, 10);
    kept.get('a');
    kept.set('d', 1, 10);
    expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key))).to.deep.equal([1, undefined, 1, 1]);
  });

  it('keeps one value of a key, of any weight before', () => {
    const kept = new SizedLru<string>(classes);
    kept.set('a', 'small', 1);
    kept.set('a', 'large', 100);
    expect(kept.get('a')).to.equal('large');
    kept.set('a', 'small again', 1);
    expect(kept.get('a')).to.equal('small again');
  });
});
