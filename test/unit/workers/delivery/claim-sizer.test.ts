import { expect } from 'chai';
import { ClaimSizer } from '../../../../workers/delivery/claim-sizer.js';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';
import { claimOf } from '../../../support/engine.js';

describe('the claim size', () => {
  const limiter = new ConcurrencyLimiter(1_000, 1_000);
  let unrecorded = 0;
  const createSizer = () =>
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
    const sizer = createSizer();
    expect(sizer.size).to.equal(200);
    sizer.claimReturned([]);
    expect(sizer.size).to.equal(200);
    sizer.claimReturned(claims(10, 1_024));
    expect(sizer.size).to.equal(400);
  });

  it('claims 48 MiB of bodies as large as the last ones, and at least one body of any size', () => {
    const sizer = createSizer();
    sizer.claimReturned(claims(3, 262_144));
    expect(sizer.size).to.equal(192);
    sizer.claimReturned(claims(1, 60 * 1_048_576));
    expect(sizer.size).to.equal(1);
    for (let time = 0; time < 9; time += 1) sizer.claimReturned(claims(1, 2));
    expect(sizer.size).to.equal(400);
  });

  it('counts a body that many claims share once', () => {
    const sizer = createSizer();
    const [first] = claims(1, 262_144);
    sizer.claimReturned([...Array.from({ length: 300 }, () => first!)]);
    expect(sizer.size).to.equal(400);
  });

  it('halves the size after each claim that fails or is late, and doubles it after each that succeeds', () => {
    const sizer = createSizer();
    sizer.shrink();
    expect(sizer.size).to.equal(100);
    sizer.shrink();
    expect(sizer.size).to.equal(50);
    sizer.claimReturned(claims(50, 1_024));
    expect(sizer.size).to.equal(100);
    for (let time = 0; time < 9; time += 1) sizer.shrink();
    expect(sizer.size).to.equal(1);
  });

  describe('prefetch', () => {
    let sizer: ClaimSizer;

    beforeEach(() => {
      sizer = createSizer();
    });

    /** Attempts that end while a claim runs, and after it. */
    const claimWhile = (ended: number, later: number) => {
      sizer.claimStarts();
      for (let count = 0; count < ended; count += 1) sizer.attemptEnded();
      sizer.claimReturned([]);
      for (let count = 0; count < later; count += 1) sizer.attemptEnded();
    };

    it('prefetches nothing before a claim during which attempts ended', () => {
      sizer.attemptEnded();
      expect(sizer.prefetch).to.equal(0);
    });

    it('prefetches twice as many as ended while the last claim ran', () => {
      claimWhile(20, 100);
      expect(sizer.prefetch).to.equal(40);
    });

    it('prefetches nothing after a claim during which no attempt ended', () => {
      claimWhile(20, 100);
      claimWhile(0, 0);
      expect(sizer.prefetch).to.equal(0);
    });

    it('prefetches nothing after a claim that failed or came back too late', () => {
      claimWhile(20, 100);
      sizer.shrink();
      expect(sizer.prefetch).to.equal(0);
    });

    it('prefetches at most twice the slots', () => {
      claimWhile(5_000, 0);
      expect(sizer.prefetch).to.equal(2_000);
    });
  });

  it('claims nothing while four times as many attempts as slots are not recorded', () => {
    unrecorded = 4_000;
    expect(createSizer().size).to.equal(0);
  });
});
