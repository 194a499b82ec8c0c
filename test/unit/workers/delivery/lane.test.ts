import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { EndedAttempt } from '../../../../src/domain/delivery/attempt.js';
import type { Claim, Capacity, Lane } from '../../../../src/domain/delivery/claim.js';
import { type Clock, processClock } from '../../../../workers/clock.js';
import type { DeliveryLane } from '../../../../workers/delivery/lane.js';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';
import { ProxyFault } from '../../../../src/outbound/proxy.js';
import { NoSecretOpens } from '../../../../workers/delivery/sender.js';
import type { EndpointWait } from '../../../../src/domain/delivery/leases.js';
import { makeId } from '../../../../src/domain/values/id.js';
import {
  claimOf,
  endedOf,
  ReadyDeliveries,
  laneOf,
  type TestLane,
} from '../../../support/engine.js';
import { eventually } from '../../../support/eventually.js';
import { VirtualTime } from '../../../simulation/virtual-time.js';

/** Attempts that end when the test says so. */
class ControlledAttempts {
  readonly open = new Map<string, { claim: Claim; end: () => void; fail: (e: Error) => void }>();

  attempt = (claim: Claim, _elapsedMs: number, signal: AbortSignal): Promise<EndedAttempt> =>
    new Promise((resolve, reject) => {
      const leave = () => this.open.delete(claim.pendingDeliveryId);
      this.open.set(claim.pendingDeliveryId, {
        claim,
        end: () => {
          leave();
          resolve(endedOf(claim));
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      });

      signal.addEventListener('abort', () => {
        leave();
        reject(new Error('broken off'));
      });
    });

  to(endpointId: string): number {
    return [...this.open.values()].filter(({ claim }) => claim.endpointId === endpointId).length;
  }

  endAll(endpointId?: string): void {
    for (const { claim, end } of [...this.open.values()]) {
      if (endpointId === undefined || claim.endpointId === endpointId) end();
    }
  }
}

describe('a lane', () => {
  let pendingDeliveries: ReadyDeliveries;
  let attempts: ControlledAttempts;
  let ended: EndedAttempt[];
  let internalErrors: unknown[];
  let limiter: ConcurrencyLimiter;
  let lanes: DeliveryLane[] = [];

  beforeEach(() => {
    pendingDeliveries = new ReadyDeliveries();
    attempts = new ControlledAttempts();
    ended = [];
    internalErrors = [];
    limiter = new ConcurrencyLimiter(10, 4);
  });

  afterEach(async () => {
    await Promise.all(lanes.map((lane) => lane.stop(0)));
    lanes = [];
  });

  function createLane(changes: Partial<TestLane> = {}): DeliveryLane {
    const lane = laneOf({
      limiter,
      claim: (capacity) => Promise.resolve(pendingDeliveries.claim(capacity)),
      send: attempts.attempt,
      onEnded: (attempt) => void ended.push(attempt),
      unrecorded: () => 0,
      release: (claims) => pendingDeliveries.release(claims),
      onInternalError: (error) => void internalErrors.push(error),
      ...changes,
    });
    lanes.push(lane);
    return lane;
  }

  it('claims no more than its slots, in all and per endpoint', async () => {
    pendingDeliveries.add('one', 50);
    await createLane().poll();
    expect(attempts.to('one')).to.equal(4);
    expect(pendingDeliveries.left).to.equal(46);
  });

  it('defers a delivery that no key can sign as long again as it has waited, at most 5 minutes, and holds its slot meanwhile', async () => {
    const madeAt = new Date('2026-01-01T00:00:00Z');
    const deferred: { endpoint: EndpointWait | undefined; end: () => void }[] = [];
    const ages = [-1, 0, 90_000, 86_400_000];
    const claims = ages.map((age) => ({
      ...claimOf(makeId('pdl', madeAt), 'one'),
      claimedAt: new Date(madeAt.getTime() + age),
    }));

    limiter = new ConcurrencyLimiter(10, 10);

    await createLane({
      claim: () => Promise.resolve(claims.splice(0)),
      send: () => Promise.reject(new NoSecretOpens('no signing secret opens')),
      defer: (_claim, endpoint) =>
        new Promise((resolve) => void deferred.push({ endpoint, end: resolve })),
    }).poll();

    await eventually(() => expect(deferred).to.have.lengthOf(4), 'all are deferred');
    expect(deferred.map(({ endpoint }) => endpoint)).to.eql(
      [0, 0, 90_000, 300_000].map((waitMs) => ({ lane: 'live', waitMs })),
    );
    expect(internalErrors).to.eql([]);
    expect(limiter.free).to.equal(6);
    for (const { end } of deferred) end();
    await eventually(() => expect(limiter.free).to.equal(10), 'the slots are free');
  });

  it('H292: claims nothing while the proxy fails, and releases what it had claimed', async () => {
    let isAvailable = true;
    const webhookClient = {
      get isAvailable() {
        return isAvailable;
      },
    };
    const lane = createLane({ webhookClient });
    pendingDeliveries.add('one', 6);
    await lane.poll();
    expect(attempts.to('one')).to.equal(4);

    isAvailable = false;
    for (const { fail } of attempts.open.values()) fail(new ProxyFault('unreachable', true));
    await eventually(() => expect(pendingDeliveries.left).to.equal(6), 'all are released');
    expect(limiter.held).to.equal(0);
    expect(ended).to.eql([]);
    expect(internalErrors).to.eql([]);

    const claims = pendingDeliveries.requested.length;
    expect(await lane.poll()).to.equal(0);
    expect(pendingDeliveries.requested).to.have.length(claims);

    isAvailable = true;
    await lane.poll();
    expect(attempts.to('one')).to.equal(4);
  });

  it('H292: lets the endpoint wait for which alone the proxy fails, uncounted', async () => {
    const deferred: (EndpointWait | undefined)[] = [];
    pendingDeliveries.add('one', 1);
    await createLane({
      send: () => Promise.reject(new ProxyFault('closed', false)),
      defer: (_claim, endpoint) => {
        deferred.push(endpoint);
        return Promise.resolve();
      },
    }).poll();
    await eventually(() => expect(limiter.free).to.equal(10), 'the slot is free');
    expect(deferred).to.have.length(1);
    expect(deferred[0]).to.include({ lane: 'live' });
    expect(ended).to.eql([]);
    expect(internalErrors).to.eql([]);
    expect(pendingDeliveries.left).to.equal(0);
  });

  it('releases claims that came back too late for their lease', async () => {
    pendingDeliveries.add('one', 3);

    let now = 0;
    const clock: Clock = { ...processClock, now: () => now };
    let stalls = true;
    const claim = (capacity: Capacity) => {
      // The process stands still while the answer is under way.
      if (stalls) now += 5_001;
      stalls = false;
      return Promise.resolve(pendingDeliveries.claim(capacity));
    };

    const lane = createLane({ claim, clock });
    await lane.poll();
    expect(attempts.open.size).to.equal(0);
    expect(pendingDeliveries.left).to.equal(3);
    await lane.poll();
    expect(attempts.open.size).to.equal(3);
  });

  it('releases claims that were buffered for too long, even if no slot became free', async () => {
    let now = 0;
    let passes: () => void = () => undefined;
    const clock: Clock = {
      ...processClock,
      now: () => now,
      after: (ms, then) => {
        if (ms < 1_000) return processClock.after(ms, then);
        passes = () => {
          now += ms;
          then();
        };
        return () => undefined;
      },
    };

    pendingDeliveries.add('one', 6);

    const claim = () =>
      Promise.resolve(pendingDeliveries.claim({ slots: 6, perEndpoint: 6, usedSlots: new Map() }));
    limiter = new ConcurrencyLimiter(4, 6);
    void createLane({ claim, clock }).poll();
    await eventually(() => expect(limiter.held).to.equal(6), 'two wait for a slot');
    expect(attempts.open.size).to.equal(4);
    passes();
    await eventually(() => expect(pendingDeliveries.left).to.equal(2), 'they are given back');
    expect(limiter.held).to.equal(4);
  });

  it('sends to other endpoints while one with a long backlog hangs', async () => {
    const lane = createLane();
    pendingDeliveries.add('hanging', 1_000);
    await lane.poll();
    pendingDeliveries.add('healthy', 16);
    void lane.poll();
    await eventually(() => {
      attempts.endAll('healthy');
      expect(ended).to.have.length(16);
    }, 'the healthy endpoint got everything');
    expect(attempts.to('hanging')).to.equal(4);
  });

  it('claims at most 200 and then 400 at once, and continues until its slots are full', async () => {
    limiter = new ConcurrencyLimiter(900, 900);
    pendingDeliveries.add('one', 1_000);
    void createLane().poll();
    await eventually(() => expect(attempts.open.size).to.equal(900), 'the slots are full');
    expect(pendingDeliveries.requested).to.deep.equal([200, 400, 300]);
  });

  it('continues until nothing is left, despite the limits', async () => {
    const lane = createLane();
    for (const endpoint of ['one', 'two', 'three', 'four']) pendingDeliveries.add(endpoint, 10);
    void lane.poll();
    await eventually(() => {
      attempts.endAll();
      expect(ended).to.have.length(40);
    }, 'everything was sent');
    expect(limiter.held).to.equal(0);
    expect(new Set(ended.map(({ claim }) => claim.pendingDeliveryId)).size).to.equal(40);
  });

  it('continues with the backlog of one endpoint whose attempts end while the next claim runs', async () => {
    limiter = new ConcurrencyLimiter(100, 20, { initial: 2 });
    pendingDeliveries.add('one', 200);

    const claim = async (capacity: Capacity) => {
      const claims = pendingDeliveries.claim(capacity);
      attempts.endAll();
      await turn();
      return claims;
    };

    void createLane({ claim }).poll();

    await eventually(() => {
      for (const { end } of [...attempts.open.values()].slice(0, 1)) end();
      expect(ended).to.have.length(200);
    }, 'everything was sent');
  });

  it('starts prefetched claims only when a slot is free', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) pendingDeliveries.add(endpoint, 4);

    const prefetch = (capacity: Capacity) =>
      Promise.resolve(pendingDeliveries.claim({ ...capacity, slots: capacity.slots + 3 }));
    const polling = createLane({ claim: prefetch }).poll();

    await eventually(() => expect(attempts.open).to.have.length(10), 'the slots are full');
    expect(limiter.held).to.equal(13);

    for (let left = 16; left > 0; left -= 1) {
      await eventually(
        () => expect(attempts.open.size).to.be.greaterThan(0),
        'another one is sent',
      );
      expect(attempts.open.size).to.be.at.most(10);
      [...attempts.open.values()][0]?.end();
    }

    await polling;
    expect(ended).to.have.length(16);
    expect(limiter.held).to.equal(0);
  });

  it('releases prefetched claims that have not started when it stops', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) pendingDeliveries.add(endpoint, 4);
    const prefetch = (capacity: Capacity) =>
      Promise.resolve(pendingDeliveries.claim({ ...capacity, slots: capacity.slots + 3 }));
    const lane = createLane({ claim: prefetch });
    void lane.poll();
    await eventually(() => expect(limiter.held).to.equal(13), 'more is claimed than has a slot');
    const stopped = lane.stop(60_000);
    await eventually(() => expect(pendingDeliveries.left).to.equal(6), 'three are given back');
    expect(limiter.held).to.equal(10);
    attempts.endAll();
    await stopped;
    expect(ended).to.have.length(10);
  });

  it('starts no further attempt once it stops', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) pendingDeliveries.add(endpoint, 4);

    const prefetch = (capacity: Capacity) =>
      Promise.resolve(pendingDeliveries.claim({ ...capacity, slots: capacity.slots + 3 }));
    const lane = createLane({ claim: prefetch });
    void lane.poll();
    await eventually(() => expect(limiter.held).to.equal(13), 'more is claimed than has a slot');

    const stopped = lane.stop(60_000);
    attempts.endAll();
    await turn();
    attempts.endAll();
    await stopped;
    expect(ended).to.have.length(10);
    expect(pendingDeliveries.left).to.equal(6);
  });

  it('prefetches nothing in the isolated lane, however fast attempts end', async () => {
    limiter = new ConcurrencyLimiter(1, 1);

    let now = 0;
    const clock: Clock = {
      now: () => now,
      after: (_ms, work) => {
        const immediate = setImmediate(work);
        return () => clearImmediate(immediate);
      },
    };

    const held: number[] = [];
    const send = async (claim: Claim) => {
      for (let ticks = 0; ticks < 5; ticks += 1) await turn();
      held.push(limiter.held);
      now += 10;
      return endedOf(claim);
    };

    for (let index = 0; index < 50; index += 1) pendingDeliveries.add(`endpoint${index}`, 1);
    await createLane({ send, clock, lane: 'isolated' }).poll();
    await eventually(() => expect(ended).to.have.length(50), 'all are sent');
    expect(Math.max(...held)).to.equal(1);
  });

  it('releases claims that waited so long for a slot that their lease could end before the attempt', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) pendingDeliveries.add(endpoint, 4);

    const prefetch = (capacity: Capacity) =>
      Promise.resolve(pendingDeliveries.claim({ ...capacity, slots: capacity.slots + 3 }));
    let late = 0;
    const clock: Clock = { ...processClock, now: () => processClock.now() + late };
    const lane = createLane({ claim: prefetch, clock });
    void lane.poll();
    await eventually(() => expect(limiter.held).to.equal(13), 'more is claimed than has a slot');
    late = 5_001;
    attempts.endAll();
    await eventually(() => expect(attempts.open.size).to.equal(6), 'what is left is sent');
    expect(internalErrors).to.deep.equal([]);
    expect(ended).to.have.length(10);
    expect(pendingDeliveries.released).to.equal(3);
  });

  it('releases claims that wait for a slot as soon as it is paused', async () => {
    for (const endpoint of ['one', 'two', 'three', 'four']) pendingDeliveries.add(endpoint, 4);
    const prefetch = (capacity: Capacity) =>
      Promise.resolve(pendingDeliveries.claim({ ...capacity, slots: capacity.slots + 3 }));
    const lane = createLane({ claim: prefetch });
    void lane.poll();
    await eventually(() => expect(limiter.held).to.equal(13), 'more is claimed than has a slot');
    const held = lane.pause();
    attempts.endAll();
    await held;
    expect(ended).to.have.length(10);
    expect(pendingDeliveries.left).to.equal(6);
  });

  it('holds one wake-up while it is paused, and takes no more until it resumes or stops', async () => {
    const lane = createLane();
    let reserved = 0;
    const poll = () => {
      reserved += 1;
      return lane.poll().then(() => (reserved -= 1));
    };

    await lane.pause();
    pendingDeliveries.add('one', 1);

    const initial = poll();
    await turn();
    expect(reserved).to.equal(1);
    await Promise.all([lane.resume(), initial]);
    expect(attempts.to('one')).to.equal(1);
    attempts.endAll();
    await lane.pause();

    const second = poll();
    await turn();
    expect(reserved).to.equal(1);
    await Promise.all([lane.stop(0), second]);
    expect(reserved).to.equal(0);
  });

  it('fills several freed slots with one claim', async () => {
    for (let index = 0; index < 100; index += 1) pendingDeliveries.add(`endpoint${index}`, 1);
    void createLane().poll();
    while (ended.length < 100) {
      const [initial] = attempts.open.values();
      initial?.end();
      await turn();
    }
    expect(pendingDeliveries.requested.length).to.be.at.most(50);
  });

  it('claims again for deliveries that become ready while it is claiming', async () => {
    let during = () => {
      pendingDeliveries.add('two', 1);
      void lane.poll();
    };

    const lane: DeliveryLane = createLane({
      claim: async (capacity) => {
        const claims = pendingDeliveries.claim(capacity);
        await Promise.resolve();
        during();
        during = () => undefined;
        return claims;
      },
    });

    pendingDeliveries.add('one', 1);
    await lane.poll();
    await eventually(() => expect(attempts.to('two')).to.equal(1), 'the second was sent');
  });

  it('holds a wake-up while it is full, and ends it when there is room for what is left', async () => {
    const lane = createLane();
    for (const endpoint of ['one', 'two', 'three']) pendingDeliveries.add(endpoint, 4);
    let polling = true;
    const poll = lane.poll().then(() => (polling = false));
    await eventually(() => expect(attempts.open.size).to.equal(10), 'all slots are taken');
    expect(polling).to.equal(true);
    attempts.endAll();
    await poll;
    expect(pendingDeliveries.left).to.equal(0);
  });

  it('frees the slot when an attempt fails by an internal error', async () => {
    const lane = createLane();
    pendingDeliveries.add('one', 5);
    await lane.poll();
    for (const { fail } of [...attempts.open.values()]) fail(new Error('no key'));
    await eventually(() => expect(attempts.to('one')).to.equal(1), 'the fifth was sent');
    expect(internalErrors).to.have.length(4);
    expect(limiter.held).to.equal(1);
  });

  it('frees the slot when an attempt throws at once', async () => {
    const send = (): Promise<EndedAttempt> => Promise.reject(new Error('no key'));
    const lane = createLane({ send });
    pendingDeliveries.add('one', 3);
    await lane.poll();
    await eventually(() => expect(limiter.held).to.equal(0), 'no slot is held');
    expect(internalErrors).to.have.length(3);
  });

  it('claims half as much after a claim that failed or came back too late', async () => {
    limiter = new ConcurrencyLimiter(900, 900);
    pendingDeliveries.add('one', 1_000);

    let now = 0;
    const ends = [() => Promise.reject(new Error('too much')), () => (now += 6_000), () => 0];
    const lane = createLane({
      clock: { ...processClock, now: () => now },
      claim: async (capacity) => {
        const claims = pendingDeliveries.claim(capacity);
        await ends.shift()?.();
        return claims;
      },
    });

    for (let poll = 0; poll < 3; poll += 1) await lane.poll();
    expect(pendingDeliveries.requested.slice(0, 3)).to.deep.equal([200, 100, 50]);
  });

  it('claims again after a claim that failed', async () => {
    let away = true;
    const lane = createLane({
      claim: (capacity) =>
        away
          ? Promise.reject(new Error('away'))
          : Promise.resolve(pendingDeliveries.claim(capacity)),
    });
    pendingDeliveries.add('one', 1);
    expect(await lane.poll()).to.equal(0);
    expect(internalErrors).to.have.length(1);
    away = false;
    expect(await lane.poll()).to.equal(1);
  });

  it('claims nothing while too much waits to be recorded', async () => {
    const unrecorded = [1_000, 1_000, 40, 35];
    const lane = createLane({ unrecorded: () => unrecorded.shift() ?? 0 });
    pendingDeliveries.add('one', 1);
    expect(await lane.poll()).to.equal(1);
    expect(pendingDeliveries.requested).to.deep.equal([5]);
  });

  it('checks only every 10 ms whether enough is recorded', async () => {
    const pauses: number[] = [];
    const clock: Clock = {
      ...processClock,
      after: (ms, work) => {
        pauses.push(ms);
        return processClock.after(ms, work);
      },
    };

    const unrecorded = [1_000, 1_000, 1_000];
    const lane = createLane({ clock, unrecorded: () => unrecorded.shift() ?? 0 });

    pendingDeliveries.add('one', 1);
    expect(await lane.poll()).to.equal(1);
    expect(pauses).to.deep.equal([10, 10, 10]);
  });

  it('stops after the attempts in flight have ended, and claims nothing more', async () => {
    const lane = createLane();
    pendingDeliveries.add('one', 10);
    await lane.poll();
    const stop = lane.stop(60_000);
    attempts.endAll();
    await stop;
    expect(ended).to.have.length(4);
    expect(await lane.poll()).to.equal(0);
    expect(pendingDeliveries.left).to.equal(6);
  });

  it('releases what it claimed while it was being stopped', async () => {
    let answer: (claims: Claim[]) => void = () => undefined;
    const claim = () => new Promise<Claim[]>((resolve) => (answer = resolve));
    const lane = createLane({ claim });
    pendingDeliveries.add('one', 2);
    void lane.poll();
    await eventually(() => expect(answer.length).to.equal(1), 'it claims');
    const stop = lane.stop(60_000);
    answer(pendingDeliveries.claim({ slots: 10, perEndpoint: 4, usedSlots: new Map() }));
    await stop;
    expect(attempts.open.size).to.equal(0);
    expect(pendingDeliveries.left).to.equal(2);
  });

  it('aborts attempts that do not end in time and releases their claims', async () => {
    const lane = createLane();
    pendingDeliveries.add('hanging', 3);
    await lane.poll();
    await lane.stop(20);
    expect(pendingDeliveries.left).to.equal(3);
    expect(internalErrors).to.deep.equal([]);
    expect(limiter.held).to.equal(0);
  });

  it('ends a poll that waits for a free slot when it is stopped', async () => {
    let waits = false;
    const capacity = limiter.waitForCapacity.bind(limiter);
    limiter.waitForCapacity = (signal) => {
      waits = limiter.free === 0;
      return capacity(signal);
    };

    const lane = createLane();
    for (const endpoint of ['one', 'two', 'three']) pendingDeliveries.add(endpoint, 10);

    const poll = lane.poll();
    await eventually(() => expect(waits).to.equal(true), 'it waits');

    const stop = lane.stop(20);
    expect(await poll).to.equal(10);
    await stop;
    expect(pendingDeliveries.left).to.equal(30);
  });
});

const claimTakesMs = 2;
const attemptTakesMs = 5;

describe('the spacing of a lane', () => {
  let time: VirtualTime;
  let ready: ReadyDeliveries;
  let startedAt: number[];

  beforeEach(() => {
    time = new VirtualTime();
    ready = new ReadyDeliveries();
    startedAt = [];
  });

  /** Lets a lane work for a second, for an endpoint of one account that gets more every 100 ms. */
  const runFor1s = async (name: Lane, slots: number, eachStep = 50) => {
    const clock = time.clockOf({ dead: false, stalledUntil: 0 });
    const after = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

    // The limits of a real lane, on this clock.
    const limits = { initial: 2, perAccount: slots / 4, reserved: slots / 10, clock };
    const lane = laneOf({
      lane: name,
      clock,
      limiter: new ConcurrencyLimiter(slots, 20, limits),
      claim: async (capacity) => {
        await after(claimTakesMs);
        const { perAccount = slots, accounts, fastEndpoints = [] } = capacity;
        const room = fastEndpoints.length > 0 ? slots : (accounts?.get('acc_1') ?? perAccount);
        return ready.claim({ ...capacity, slots: Math.min(capacity.slots, room) });
      },
      send: async (claim) => {
        startedAt.push(time.now);
        await after(attemptTakesMs);
        return endedOf(claim);
      },
      release: () => undefined,
      onEnded: () => undefined,
      unrecorded: () => 0,
      onInternalError: (error) => {
        throw error;
      },
    });

    // Adds deliveries as a recovery does at its highest rate.
    const step = () => {
      ready.add('one', eachStep);
      void lane.poll();
      clock.after(100, step);
    };

    step();
    await time.run(() => time.now >= 1_000);
  };

  const most = (counts: Iterable<number>) => Math.max(...counts);
  const startsByTime = () => {
    const counts = new Map<number, number>();
    for (const at of startedAt) counts.set(at, (counts.get(at) ?? 0) + 1);
    return counts;
  };

  it('starts attempts of recoveries one after the other, with few claims', async () => {
    await runFor1s('recovery', 40);
    expect(most(startsByTime().values())).to.equal(1);
    expect(ready.requested.length).to.be.at.most(100);
    expect(startedAt.length).to.equal(500);
  });

  it('starts live attempts together', async () => {
    await runFor1s('live', 200, 500);
    expect(most(startsByTime().values())).to.be.greaterThan(1);
    expect(startedAt.length).to.be.greaterThan(1_000);
  });
});
