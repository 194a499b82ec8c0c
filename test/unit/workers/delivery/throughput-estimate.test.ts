import { expect } from 'chai';
import { ThroughputEstimate } from '../../../../workers/delivery/throughput-estimate.js';

describe('pace', () => {
  let now: number;
  let pace: ThroughputEstimate;

  beforeEach(() => {
    now = 0;
    pace = new ThroughputEstimate(() => now);
  });

  function run(perMs: number, forMs: number): void {
    for (let ms = 0; ms < forMs; ms += 1) {
      now += 1;
      for (let count = 0; count < perMs; count += 1) pace.recordEnd();
      pace.expectedWithin(1);
    }
  }

  it('expects nothing before anything has ended', () => {
    now = 1_000;
    expect(pace.expectedWithin(50)).to.equal(0);
  });

  it('learns how fast attempts end', () => {
    run(5, 1_000);
    expect(pace.expectedWithin(20)).to.be.within(95, 100);
  });

  it('forgets a pace that is over', () => {
    run(5, 1_000);
    run(0, 1_000);
    expect(pace.expectedWithin(20)).to.equal(0);
  });
});
