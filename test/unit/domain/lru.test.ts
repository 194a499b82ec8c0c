import { expect } from 'chai';
import { Lru } from '../../../src/domain/lru.js';

describe('an Lru', () => {
  it('a full Lru drops the least recently used entry', () => {
    const lru = new Lru<number>(2);
    lru.set('a', 1);
    lru.set('b', 2);
    expect(lru.get('a')).to.equal(1);
    lru.set('c', 3);
    expect([lru.get('a'), lru.get('b'), lru.get('c')]).to.deep.equal([1, undefined, 3]);
  });

  it('an Lru counts the weight of its entries, and that of a replaced one once', () => {
    const lru = new Lru<number>(10);
    lru.set('a', 1, 4);
    lru.set('b', 2, 4);
    lru.set('b', 3, 6);
    expect([lru.get('a'), lru.get('b')]).to.deep.equal([1, 3]);
    lru.set('c', 4, 6);
    expect([lru.get('a'), lru.get('b'), lru.get('c')]).to.deep.equal([undefined, undefined, 4]);
  });

  it('an Lru keeps no entry that is heavier than its limit', () => {
    const lru = new Lru<number>(1);
    lru.set('a', 1, 2);
    expect(lru.get('a')).to.equal(undefined);
  });
});
