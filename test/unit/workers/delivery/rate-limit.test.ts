import { expect } from 'chai';
import type { Capacity, Claim } from '../../../../src/domain/delivery/claim.js';
import { usedSlotsOf, type WantedSendTimes } from '../../../../src/domain/delivery/send-times.js';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';
import type { DeliveryLane } from '../../../../workers/delivery/lane.js';
import { claimOf, endedOf, laneOf, type TestLane } from '../../../support/engine.js';
import { type Runner, VirtualTime } from '../../../simulation/virtual-time.js';

const limited = 'whs_limited';
const neighbour = 'whs_neighbour';

describe('H153: claims of an endpoint with a rate limit', () => {
  let time: VirtualTime;
  let times: SendTimesInMemory;
  let ready: Map<string, number>;
  let sent: { endpointId: string; at: number; worker: number }[];
  let released: number;
  let runners: Runner[];
  let lanes: DeliveryLane[];

  /** How long look-up, connect and TLS take. */
  let connectMs: number;

  beforeEach(() => {
    time = new VirtualTime();
    times = new SendTimesInMemory(() => time.now, 10);
    ready = new Map();
    sent = [];
    released = 0;
    runners = [];
    lanes = [];
    connectMs = 1;
  });

  const claim = (capacity: Capacity): Claim[] => {
    const { slots, perEndpoint } = capacity;
    const usedSlots = usedSlotsOf(capacity);
    const claims: Claim[] = [];
    for (const [endpointId, count] of ready) {
      const free = Math.min(perEndpoint - (usedSlots.get(endpointId) ?? 0), slots - claims.length);
      const taken = Math.max(0, Math.min(count, free));
      ready.set(endpointId, count - taken);
      const maxPerSecond = endpointId === limited ? times.perSecond : null;
      for (let index = 0; index < taken; index += 1)
        claims.push({ ...claimOf(`pdl_${time.now}_${index}`, endpointId), maxPerSecond });
    }
    return claims;
  };

  /** Starts a worker whose statements take 2 ms. */
  const start = (lane: TestLane['lane'] = 'live', limiter = new ConcurrencyLimiter(20, 10)) => {
    const runner: Runner = { dead: false, stalledUntil: 0 };
    const clock = time.clockOf(runner);
    const after = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
    const worker = runners.push(runner) - 1;
    const createdLane = laneOf({
      lane,
      limiter,
      clock,
      claim: async (capacity) => {
        const claims = claim(capacity);
        await after(2);
        return claims;
      },
      reserveSendTimes: async (wanted, aheadMs) => {
        await after(1);
        const reserved = await times.reserve(wanted, aheadMs);
        await after(1);
        return reserved;
      },
      send: async (claimed, _elapsedMs, _signal, gate) => {
        await after(connectMs);
        await gate?.();
        sent.push({ endpointId: claimed.endpointId, at: time.now, worker });
        await after(5);
        return endedOf(claimed);
      },
      release: (claims) => {
        released += claims.length;
        for (const { endpointId } of claims)
          ready.set(endpointId, (ready.get(endpointId) ?? 0) + 1);
      },
      onEnded: () => undefined,
      unrecorded: () => 0,
      onInternalError: (error) => {
        throw error;
      },
    });

    lanes.push(createdLane);

    const poll = () => {
      void createdLane.poll();
      clock.after(1_000, poll);
    };

    poll();

    return createdLane;
  };

  const runFor = (ms: number) => {
    const until = time.now + ms;
    time.after(ms, () => undefined);
    return time.run(() => time.now >= until);
  };

  const sentTo = (endpointId: string) =>
    sent.filter((request) => request.endpointId === endpointId);
  const mostInOneSecond = (endpointId: string) => {
    const at = sentTo(endpointId).map((request) => request.at);
    return Math.max(
      ...at.map((from) => at.filter((time) => time >= from && time < from + 1_000).length),
    );
  };

  it('sends evenly from four workers, which release few claims', async () => {
    ready.set(limited, 100_000);
    for (let index = 0; index < 4; index += 1) start();
    await runFor(20_000);
    expect(mostInOneSecond(limited)).to.be.at.most(11);
    expect(sentTo(limited).length).to.be.within(195, 201);
    expect(released).to.be.below(100);
  });

  it('holds no slots for waiting claims, so another endpoint of the account continues', async () => {
    ready.set(limited, 1_000);
    const limiter = new ConcurrencyLimiter(4, 4, { perAccount: 2 });
    start('live', limiter);
    await runFor(1_000);
    ready.set(neighbour, 400);
    await runFor(2_000);
    expect(sentTo(neighbour)).to.have.length(400);
    expect(mostInOneSecond(limited)).to.be.within(10, 11);
  });

  it('sends no bunch after a worker stood still', async () => {
    ready.set(limited, 1_000);
    for (let index = 0; index < 3; index += 1) start();
    await runFor(3_000);
    runners[0]!.stalledUntil = time.now + 900;
    await runFor(5_000);
    expect(mostInOneSecond(limited)).to.be.at.most(11);

    expect(
      new Set(
        sentTo(limited)
          .filter(({ at }) => at > 4_500)
          .map(({ worker }) => worker),
      ).size,
    ).to.equal(3);
  });

  it('sends on time to a receiver that is far away, after the first request', async () => {
    ready.set(limited, 1_000);
    connectMs = 300;
    start();
    await runFor(10_000);
    expect(sentTo(limited).length).to.be.at.least(93);
    expect(mostInOneSecond(limited)).to.be.at.most(11);
  });

  it('sends no bunch when connections that took long are open', async () => {
    ready.set(limited, 1_000);
    connectMs = 300;
    time.after(1_000, () => (connectMs = 1));
    start();
    await runFor(10_000);
    expect(mostInOneSecond(limited)).to.be.at.most(11);
  });

  it('sends to a receiver to which connecting takes longer than an attempt may wait to start', async () => {
    ready.set(limited, 1_000);
    connectMs = 7_000;
    start();
    await runFor(30_000);
    expect(sentTo(limited).length).to.be.at.least(10);
    expect(mostInOneSecond(limited)).to.be.at.most(11);
  });

  it('uses a new rate limit as soon as it is set', async () => {
    ready.set(limited, 1_000);
    start();
    await runFor(2_000);
    times.perSecond = 2;
    const from = time.now + 1_000;
    await runFor(6_000);
    const later = sentTo(limited).filter(({ at }) => at >= from);
    expect(later.length).to.be.within(9, 12);
  });

  it('releases waiting claims when the worker stops', async () => {
    ready.set(limited, 1_000);
    const lane = start();
    await runFor(1_000);
    const stopped = lane.stop(1_000);
    await runFor(1_000);
    await stopped;
    expect((ready.get(limited) ?? 0) + sentTo(limited).length).to.equal(1_000);
  });

  it('sends replays before live deliveries, and recoveries after them', async () => {
    ready.set(limited, 1_000);
    start('live');
    await runFor(2_000);

    const replays = start('replay');
    const before = sent.length;

    await runFor(3_000);

    const byReplays = sent.slice(before).filter(({ worker }) => worker === 1);
    expect(byReplays.length).to.be.at.least(10);

    const stopped = replays.stop(100);
    await runFor(500);
    await stopped;
    start('recovery');

    const since = sent.length;
    await runFor(3_000);
    expect(sent.slice(since).filter(({ worker }) => worker === 2).length).to.be.at.most(2);
  });
});

/** Reserves send times of one endpoint as the statement does. */
class SendTimesInMemory {
  #nextMs = 0;

  /** @param now milliseconds of PostgreSQL's clock */
  constructor(
    private readonly now: () => number,
    public perSecond: number,
  ) {}

  reserve = (wanted: readonly WantedSendTimes[], aheadMs: number) => {
    const nowMs = this.now();
    const stepMs = 1_000 / this.perSecond;
    return Promise.resolve(
      wanted.map(({ endpointId, count: most }) => {
        const firstMs = Math.max(nowMs, this.#nextMs);
        const free = 1 + Math.floor((nowMs + aheadMs - firstMs) / stepMs);
        const count = Math.max(0, Math.min(most, free));
        if (count > 0) this.#nextMs = firstMs + count * stepMs;
        return { endpointId, count, firstMs, stepMs, nowMs };
      }),
    );
  };
}
