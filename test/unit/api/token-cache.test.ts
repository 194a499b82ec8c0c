import { expect } from 'chai';
import { TokenCache } from '../../../src/api/authentication.js';

describe('the token cache', () => {
  it('keeps an entry for its lifetime, counted from the last update', () => {
    const clock = { ms: 0 };
    const cache = new TokenCache<true>({ ttlMs: 100, maxEntries: 10, now: () => clock.ms });
    cache.set('one', true);
    clock.ms = 99;
    expect(cache.get('one')).to.equal(true);
    expect(cache.get('two')).to.equal(undefined);
    cache.set('one', true);
    clock.ms = 198;
    expect(cache.get('one')).to.equal(true);
    clock.ms = 199;
    expect(cache.get('one')).to.equal(undefined);
  });

  it('is bounded: the entry with the oldest update is dropped first', () => {
    const cache = new TokenCache<true>({ ttlMs: 100, maxEntries: 3, now: () => 0 });
    for (const token of ['a', 'b', 'a', 'c', 'd']) cache.set(token, true);
    expect(cache.get('b')).to.equal(undefined);
    expect(cache.get('a')).to.equal(true);
    cache.delete('a');
    expect(cache.get('a')).to.equal(undefined);
  });
});
