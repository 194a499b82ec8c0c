import { expect } from 'chai';
import { ByteCache } from '../../../src/pdf/byte-cache.js';

describe('a cache of bytes', () => {
  it('drops what was used longest ago when all together are too large', () => {
    const cache = new ByteCache(100);
    const [a, b, c] = [Buffer.alloc(40), Buffer.alloc(40), Buffer.alloc(40)];
    cache.set('a', a);
    cache.set('b', b);
    expect(cache.get('a')).to.equal(a);
    cache.set('c', c);
    expect(cache.get('b')).to.equal(undefined);
    expect(cache.get('a')).to.equal(a);
    expect(cache.get('c')).to.equal(c);
  });

  it('keeps nothing that is larger than itself', () => {
    const cache = new ByteCache(100);
    cache.set('a', Buffer.alloc(101));
    expect(cache.get('a')).to.equal(undefined);
    cache.set('b', Buffer.alloc(100));
    expect(cache.get('b')).to.be.instanceOf(Buffer);
  });
});
