import { expect } from 'chai';
import { ThroughputEstimate } from '../../../../workers/delivery/claim-sizer.js';

describe('a throughput estimate', () => {
  let now: number;
  let estimate: ThroughputEstimate;

  beforeEach(() => {
    now = 0;
    estimate = new ThroughputEstimate(() => now);
  });

  function run(perMs: number, forMs: number): void {
    for (let ms = 0; ms < forMs; ms += 1) {
      now += 1;
      for (let count = 0; count < perMs; count += 1) estimate.recordEnd();
      estimate.expectedWithin(1);
    }
  }

  it('expects nothing before anything has ended', () => {
    now = 1_000;
    expect(estimate.expectedWithin(50)).to.equal(0);
  });

  it('learns how fast attempts end', () => {
    run(5, 1_000);
    expect(estimate.expectedWithin(20)).to.be.within(95, 100);
  });

  it('forgets a rate that is over', () => {
    run(5, 1_000);
    run(0, 1_000);
    expect(estimate.expectedWithin(20)).to.equal(0);
  });
});
