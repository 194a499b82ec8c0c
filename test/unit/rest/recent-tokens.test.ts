import { expect } from 'chai';
import { hashToken } from '../../../src/domain/account/token.js';
import { RecentTokens } from '../../../src/rest/recent-tokens.js';

/** {@link RecentTokens} that are told tokens. */
function remembering(now: () => number) {
  const recent = new RecentTokens(now);
  return {
    add: (token: string) => recent.add(hashToken(token)),
    has: (token: string) => recent.has(hashToken(token)),
  };
}

describe('tokens that were valid lately', () => {
  it('are remembered for five minutes after the last time', () => {
    const clock = { ms: 0 };
    const recent = remembering(() => clock.ms);
    recent.add('one');
    clock.ms = 299_999;
    expect(recent.has('one')).to.equal(true);
    expect(recent.has('two')).to.equal(false);
    recent.add('one');
    clock.ms += 299_999;
    expect(recent.has('one')).to.equal(true);
    clock.ms += 1;
    expect(recent.has('one')).to.equal(false);
  });

  it('are ten thousand at most: those that were valid longest ago are forgotten', () => {
    const recent = remembering(() => 0);
    recent.add('first');
    recent.add('second');
    recent.add('first');
    for (let count = 0; count < 9_999; count += 1) recent.add(`token-${count}`);
    expect(recent.has('second')).to.equal(false);
    expect(recent.has('first')).to.equal(true);
  });
});
