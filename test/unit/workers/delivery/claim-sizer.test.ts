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

  it('claims 200 pending deliveries while their bodies are unknown, then 400', () => {
    const one = claimSizer();
    expect(one.size).to.equal(200);
    one.claimReturned([]);
    expect(one.size).to.equal(200);
    one.claimReturned(claims(10, 1_024));
    expect(one.size).to.equal(400);
  });

  it('claims 48 MiB of bodies as large as the last ones, and at least one body of any size', () => {
    const one = claimSizer();
    one.claimReturned(claims(3, 262_144));
    expect(one.size).to.equal(192);
    one.claimReturned(claims(1, 60 * 1_048_576));
    expect(one.size).to.equal(1);
    for (let time = 0; time < 9; time += 1) one.claimReturned(claims(1, 2));
    expect(one.size).to.equal(400);
  });

  it('counts a body that many claims share once', () => {
    const one = claimSizer();
    const [first] = claims(1, 262_144);
    one.claimReturned([...Array.from({ length: 300 }, () => first!)]);
    expect(one.size).to.equal(400);
  });

  it('halves the size after each claim that fails or is late, and doubles it after each that succeeds', () => {
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

    it('prefetches nothing before a claim during which attempts ended', () => {
      one.attemptEnded();
      expect(one.prefetch).to.equal(0);
    });

    it('prefetches twice as many as ended while the last claim ran', () => {
      claimWhile(20, 100);
      expect(one.prefetch).to.equal(40);
    });

    it('prefetches nothing after a claim during which no attempt ended', () => {
      claimWhile(20, 100);
      claimWhile(0, 0);
      expect(one.prefetch).to.equal(0);
    });

    it('prefetches nothing after a claim that failed or came back too late', () => {
      claimWhile(20, 100);
      one.shrink();
      expect(one.prefetch).to.equal(0);
    });

    it('prefetches at most twice the slots', () => {
      claimWhile(5_000, 0);
      expect(one.prefetch).to.equal(2_000);
    });
  });

  it('claims nothing while four times as many attempts as slots are not recorded', () => {
    unrecorded = 4_000;
    expect(claimSizer().size).to.equal(0);
  });
});
