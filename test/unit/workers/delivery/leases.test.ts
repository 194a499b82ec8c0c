import { expect } from 'chai';
import { Leases } from '../../../../workers/delivery/claims.js';

describe('leases of a process', () => {
  let now: number;
  let leases: Leases;

  beforeEach(() => {
    now = 0;
    leases = new Leases({ now: () => now, after: () => () => undefined });
  });

  const claims = (token: number, count: number) => Array.from({ length: count }, () => ({ token }));

  it('are over when all of their claims have ended, and told once', () => {
    leases.claimed([...claims(1, 3), ...claims(2, 1)], 60_000);
    leases.ended(claims(1, 2));
    expect(leases.takeFinished()).to.deep.equal([]);
    leases.ended([...claims(1, 1), ...claims(2, 1)]);
    expect(leases.takeFinished()).to.have.members([1, 2]);
    expect(leases.takeFinished()).to.deep.equal([]);
  });

  it('are left to the poller when a claim is never heard of again', () => {
    leases.claimed(claims(1, 2), 60_000);
    leases.ended(claims(1, 1));
    now = 60_000;
    expect(leases.takeFinished()).to.deep.equal([]);
    leases.ended(claims(1, 1));
    expect(leases.takeFinished()).to.deep.equal([]);
  });

  it('are named when they end soon, each once, and last longer when they were extended', () => {
    leases.claimed(claims(1, 2), 60_000);
    leases.claimed(claims(2, 1), 90_000);
    now = 40_000;
    expect(leases.endingWithin(30_000, [1, 2, 1])).to.deep.equal([1]);
    leases.extended([1], 100_000);
    expect(leases.endingWithin(30_000, [1, 2])).to.deep.equal([]);
    now = 95_000;
    leases.takeFinished();
    expect(leases.endingWithin(0, [2]), 'forgotten here').to.deep.equal([2]);
    leases.ended(claims(1, 2));
    expect(leases.takeFinished()).to.deep.equal([1]);
  });
});
