import { expect } from 'chai';
import { ClaimSizer } from '../../../../workers/delivery/claim-sizer.js';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';
import { claimOf } from '../../../support/engine.js';

describe('the claim size', () => {
  const limiter = new ConcurrencyLimiter(1_000, 1_000);
  let unrecorded = 0;
  const claimSizer = () =>
    new ClaimSizer({ limiter, results: { backlog: unrecorded, recordingCapacity: Infinity } });

  /** Claims whose bodies have so many bytes each. */
  const claims = (count: number, bytes: number) =>
    Array.from({ length: count }, (_each, index) => {
      const claim = claimOf(`pdl_${index}`, 'one');
      return { ...claim, event: { ...claim.event, body: Buffer.alloc(bytes) } };
    });

  beforeEach(() => {
    unrecorded = 0;
  });

  it('is for 200 pending deliveries as long as nothing is known of their bodies, then for 400', () => {
    const one = claimSizer();
    expect(one.size).to.equal(200);
    one.claimReturned([]);
    expect(one.size).to.equal(200);
    one.claimReturned(claims(10, 1_024));
    expect(one.size).to.equal(400);
  });

  it('is for 48 MiB of bodies like those that came last, and for one however long it is', () => {
    const one = claimSizer();
    one.claimReturned(claims(3, 262_144));
    expect(one.size).to.equal(192);
    one.claimReturned(claims(1, 60 * 1_048_576));
    expect(one.size).to.equal(1);
    for (let time = 0; time < 9; time += 1) one.claimReturned(claims(1, 2));
    expect(one.size).to.equal(400);
  });

  it('counts a body once that many claims share', () => {
    const one = claimSizer();
    const [first] = claims(1, 262_144);
    one.claimReturned([...Array.from({ length: 300 }, () => first!)]);
    expect(one.size).to.equal(400);
  });

  it('is halved by each claim that fails or is late, and comes back twofold', () => {
    const one = claimSizer();
    one.shrink();
    expect(one.size).to.equal(100);
    one.shrink();
    expect(one.size).to.equal(50);
    one.claimReturned(claims(50, 1_024));
    expect(one.size).to.equal(100);
    for (let time = 0; time < 9; time += 1) one.shrink();
    expect(one.size).to.equal(1);
  });

  describe('prefetch', () => {
    let one: ClaimSizer;

    beforeEach(() => {
      one = claimSizer();
    });

    /** Attempts that end while a claim runs, and after it. */
    const claimWhile = (ended: number, later: number) => {
      one.claimStarts();
      for (let count = 0; count < ended; count += 1) one.attemptEnded();
      one.claimReturned([]);
      for (let count = 0; count < later; count += 1) one.attemptEnded();
    };

    it('is none before a claim during which attempts ended', () => {
      one.attemptEnded();
      expect(one.prefetch).to.equal(0);
    });

    it('is twice as many as ended while the last claim ran', () => {
      claimWhile(20, 100);
      expect(one.prefetch).to.equal(40);
    });

    it('is none after a claim during which none ended', () => {
      claimWhile(20, 100);
      claimWhile(0, 0);
      expect(one.prefetch).to.equal(0);
    });

    it('is none after a claim that failed or came back too late', () => {
      claimWhile(20, 100);
      one.shrink();
      expect(one.prefetch).to.equal(0);
    });

    it('is twice the slots at most', () => {
      claimWhile(5_000, 0);
      expect(one.prefetch).to.equal(2_000);
    });
  });

  it('is gone while four times the slots are not recorded', () => {
    unrecorded = 4_000;
    expect(claimSizer().size).to.equal(0);
  });
});
