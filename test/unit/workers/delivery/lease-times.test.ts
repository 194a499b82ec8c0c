import { expect } from 'chai';
import { leaseTimes } from '../../../../workers/delivery/lease-times.js';

describe('the times of a lease', () => {
  it('leave room for an attempt that starts as late as it may, and to record it', () => {
    for (const timeoutMs of [500, 1_000, 15_000, 60_000]) {
      const { leaseMs, claimTimeoutMs, startTimeoutMs, graceMs } = leaseTimes(timeoutMs);
      expect(leaseMs - claimTimeoutMs - startTimeoutMs - timeoutMs).to.be.at.least(1_000);
      expect(graceMs).to.be.within(4_000, Math.min(10_000, leaseMs));
    }
  });

  it('are two minutes at most: the poller cuts what lasts longer', () => {
    expect(leaseTimes(60_000).leaseMs).to.equal(120_000);
  });
});
