import { expect } from 'chai';
import { pauseAfter } from '../../../src/domain/notice/pause-after.js';

describe('pauseAfter', () => {
  it('grows twofold from 5 seconds and stays at a day', () => {
    const pauses = [1, 2, 3, 10, 15, 16, 500, 5_000].map((attempts) => pauseAfter(attempts, 0.5));
    expect(pauses).to.deep.equal([
      ...[5_000, 10_000, 20_000, 2_560_000],
      ...[81_920_000, 86_400_000, 86_400_000, 86_400_000],
    ]);
  });

  it('is a tenth longer or shorter by chance', () => {
    expect(pauseAfter(1, 0)).to.equal(4_500);
    expect(pauseAfter(1, 0.999_999)).to.equal(5_500);
  });
});
