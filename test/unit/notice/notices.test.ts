import { expect } from 'chai';
import { retryDelayMs } from '../../../src/domain/notice/notices.js';

describe('retryDelayMs', () => {
  it('doubles from 5 seconds up to one day', () => {
    const pauses = [1, 2, 3, 10, 15, 16, 500, 5_000].map((attempts) => retryDelayMs(attempts, 0.5));
    expect(pauses).to.deep.equal([
      5_000, 10_000, 20_000, 2_560_000, 81_920_000, 86_400_000, 86_400_000, 86_400_000,
    ]);
  });

  it('adds a jitter of 10 % up or down', () => {
    expect(retryDelayMs(1, 0)).to.equal(4_500);
    expect(retryDelayMs(1, 0.999_999)).to.equal(5_500);
  });
});
