import { expect } from 'chai';
import fc from 'fast-check';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';
import { ClaimCursors } from '../../../../src/domain/delivery/claim-deliveries.js';
import { endedOf, laneOf } from '../../../support/engine.js';
import { testRules } from '../../../support/database.js';
import { MemoryStore } from '../../../simulation/memory-store.js';
import { VirtualTime } from '../../../simulation/virtual-time.js';

describe('the limiter', () => {
  it('says that another claim may bring more when an endpoint that was full has a free slot again', () => {
    const limiter = new ConcurrencyLimiter(10, 2);
    limiter.acquire('one');
    limiter.acquire('one');
    limiter.acquire('two');
    const capacity = limiter.capacityFor(7);
    expect(limiter.release('one', 'notStarted')).to.equal(true);
    expect(limiter.release('two', 'notStarted')).to.equal(false);
    limiter.acquireClaimed([], capacity);
    expect(limiter.release('one', 'notStarted'), 'it had no room in that claim').to.equal(true);
  });

  it('never gives an endpoint more slots than the lane has', () => {
    expect(new ConcurrencyLimiter(3, 20).perEndpoint).to.equal(3);
  });

  it('refuses to release a slot that is not held', () => {
    expect(() => new ConcurrencyLimiter(1, 1).release('one', 'notStarted')).to.throw('no slot');
  });

  it('resolves a wait for capacity when a slot is released', async () => {
    const limiter = new ConcurrencyLimiter(1, 1);
    limiter.acquire('one');
    let notified = false;
    const waiting = limiter
      .waitForCapacity(new AbortController().signal)
      .then(() => (notified = true));
    await Promise.resolve();
    expect(notified).to.equal(false);
    limiter.release('one', 'notStarted');
    await waiting;
  });

  describe('with a few initial slots for an endpoint', () => {
    let now = 0;
    let limiter: ConcurrencyLimiter;
    const clock = { now: () => now, after: () => () => undefined };
    const capacity = (endpoint: string) =>
      limiter.perEndpoint - (limiter.grantSlots().get(endpoint) ?? 0);

    beforeEach(() => {
      now = 0;
      limiter = new ConcurrencyLimiter(200, 20, { initial: 2, clock });
    });

    const ask = (endpoint: string) => {
      limiter.acquire(endpoint);
      limiter.start(endpoint);
    };

    /** Makes `count` attempts of `takesMs` one after the other. */
    const answer = (endpoint: string, count: number, takesMs = 1) => {
      for (let index = 0; index < count; index += 1) {
        ask(endpoint);
        now += takesMs;
        limiter.release(endpoint, 'responded');
      }
    };

    it('grants an endpoint one more slot for each response, up to its limit', () => {
      expect(capacity('one')).to.equal(2);
      answer('one', 3);
      expect(capacity('one')).to.equal(5);
      answer('one', 40);
      expect(capacity('one')).to.equal(20);
      limiter.acquire('one');
      expect(capacity('one')).to.equal(19);
    });

    it('takes earned slots back after an attempt without a response and after half a second of silence', () => {
      answer('one', 10);
      ask('one');
      limiter.release('one', 'noResponse');
      expect(capacity('one')).to.equal(2);
      answer('two', 10);
      for (let index = 0; index < 5; index += 1) ask('two');
      expect(capacity('two')).to.equal(7);
      now += 501;
      expect(capacity('two')).to.equal(-3);
      limiter.release('two', 'responded');
      expect(capacity('two')).to.equal(-1);
    });

    it('keeps the slots of receivers that are slow but respond', () => {
      for (let round = 0; round < 10; round += 1) {
        const share = capacity('slow');
        for (let index = 0; index < share; index += 1) ask('slow');
        now += 2_000;
        for (let index = 0; index < share; index += 1) limiter.release('slow', 'responded');
      }
      expect(capacity('slow')).to.equal(20);
    });

    it('keeps the slots of an endpoint when one is released unused, or after an internal error', () => {
      answer('one', 10);
      limiter.acquire('one');
      limiter.release('one', 'notStarted');
      expect(capacity('one')).to.equal(12);
      ask('one');
      limiter.release('one', 'internalError');
      expect(capacity('one')).to.equal(12);
    });

    it('keeps the slots of an endpoint while its claims wait to start', () => {
      answer('one', 10);
      limiter.acquire('one');
      now += 501;
      expect(capacity('one')).to.equal(11);
      limiter.start('one');
      now += 500;
      expect(capacity('one')).to.equal(11);
      now += 1;
      expect(capacity('one')).to.equal(1);
    });

    /** What one claim may bring each of `endpoints`. */
    const capacities = (endpoints: readonly string[]) => {
      const usedSlots = limiter.grantSlots();
      return new Map(
        endpoints.map((endpoint) => [
          endpoint,
          limiter.perEndpoint - (usedSlots.get(endpoint) ?? 0),
        ]),
      );
    };

    /** Sends as much as one claim may bring of endpoints with long backlogs. */
    const claim = (endpoints: readonly string[]) => {
      for (const [endpoint, count] of capacities(endpoints)) {
        for (let index = 0; index < count && limiter.free > 0; index += 1) ask(endpoint);
      }
    };

    const named = (name: string, count: number) =>
      Array.from({ length: count }, (_each, index) => `${name} ${index}`);

    it('gives many endpoints that hang at once at most half of the slots beyond their initial ones', () => {
      const hanging = named('hanging', 40);
      for (const endpoint of [...hanging, 'healthy']) answer(endpoint, 18);
      now += 100;

      for (let claims = 0; claims < 50; claims += 1) {
        claim(hanging);
        now += 1;
      }

      expect(limiter.held).to.equal(40 * 2 + 100);
      claim(['healthy']);
      expect(limiter.held).to.equal(182);
      now += 5;
      expect(limiter.release('healthy', 'responded'), 'it was given less than it had').to.equal(
        true,
      );
      expect(capacity('healthy'), 'it answers').to.equal(19);
    });

    it('lets endpoints fill all slots while they respond', () => {
      const busy = named('busy', 10);
      for (const endpoint of busy) answer(endpoint, 18);
      now += 100;
      claim(busy);
      expect(limiter.held).to.equal(120);
      for (const endpoint of busy) limiter.release(endpoint, 'responded');
      claim(busy);
      expect(limiter.held).to.equal(200);
    });

    it('shares spare slots between endpoints in turns', () => {
      const busy = named('busy', 10);
      for (const endpoint of busy) answer(endpoint, 18);
      now += 100;
      const limit = new Map(busy.map((endpoint) => [endpoint, 0]));
      for (let claims = 0; claims < 10; claims += 1) {
        for (const [endpoint, count] of capacities(busy))
          limit.set(endpoint, Math.max(count, limit.get(endpoint) ?? 0));
      }
      expect([...limit.values()]).to.deep.equal(Array.from(busy, () => 20));
    });

    it('remembers the slots of the last 500 idle endpoints', () => {
      for (let index = 0; index < 501; index += 1) answer(`endpoint ${index}`, 1);
      expect(limiter.grantSlots().has('endpoint 0')).to.equal(false);
      expect(limiter.grantSlots().has('endpoint 1')).to.equal(true);
      expect(limiter.grantSlots().size).to.equal(500);
    });
  });

  it('counts held slots correctly after any sequence', () => {
    const endpoints = fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 50 });
    fc.assert(
      fc.property(endpoints, (taken) => {
        const limiter = new ConcurrencyLimiter(50, 10);
        for (const endpoint of taken) limiter.acquire(endpoint);
        const sum = [...limiter.grantSlots().values()].reduce((total, count) => total + count, 0);
        expect(limiter.held).to.equal(sum);
        expect(limiter.free).to.equal(50 - taken.length);
        for (const endpoint of taken) limiter.release(endpoint, 'notStarted');
        expect(limiter.held).to.equal(0);
        expect(limiter.grantSlots().size).to.equal(0);
      }),
    );
  });
});

describe('the limits of accounts', () => {
  let now = 0;
  let limiter: ConcurrencyLimiter;
  const clock = { now: () => now, after: () => () => undefined };

  beforeEach(() => {
    now = 0;
    limiter = new ConcurrencyLimiter(200, 20, { initial: 2, perAccount: 50, reserved: 20, clock });
  });

  const capacity = (account: string) => {
    const { perAccount = 0, accounts } = limiter.capacityFor(200);
    return accounts?.get(account) ?? perAccount;
  };

  const fastEndpoints = (account: string) =>
    (limiter.capacityFor(200).fastEndpoints ?? []).filter(({ accountId }) => accountId === account);
  const ask = (account: string, endpoint: string) => {
    limiter.acquire(endpoint, account);
    return limiter.start(endpoint);
  };

  const answer = (account: string, endpoint: string, takesMs: number) => {
    ask(account, endpoint);
    now += takesMs;
    limiter.release(endpoint, 'responded');
  };

  const hang = (account: string, count: number) => {
    for (let index = 0; index < count; index += 1) ask(account, `${account} hangs ${index}`);
  };

  it('gives an account no more than its share, and the others theirs', () => {
    hang('one', 30);
    expect([capacity('one'), capacity('two')]).to.deep.equal([20, 50]);
    hang('one', 20);
    expect([capacity('one'), capacity('two')]).to.deep.equal([0, 50]);
    expect(limiter.release('one hangs 0', 'noResponse'), 'it may have been passed over').to.equal(
      true,
    );
    expect(capacity('one')).to.equal(1);
  });

  it('lets an account at its limit claim for endpoints that responded within a second', () => {
    answer('one', 'prompt', 1_000);
    answer('one', 'slow', 1_001);
    for (const endpoint of ['prompt', 'slow']) ask('one', endpoint);
    expect(capacity('one')).to.equal(49);
    hang('one', 49);
    expect(capacity('one')).to.equal(0);
    expect(fastEndpoints('one')).to.deep.equal([{ accountId: 'one', endpointId: 'prompt' }]);
    expect(fastEndpoints('two')).to.deep.equal([]);
    now += 1_001;
    expect(fastEndpoints('one'), 'it has not answered for a second').to.deep.equal([]);
    limiter.release('prompt', 'noResponse');
    expect(fastEndpoints('one')).to.deep.equal([]);
  });

  it('names fast endpoints that a claim filled, so that their backlogs do not count', () => {
    answer('one', 'prompt', 1);
    expect(fastEndpoints('one')).to.deep.equal([]);
    for (let index = 0; index < 3; index += 1) limiter.acquire('prompt', 'one');
    limiter.release('prompt', 'notStarted');
    expect(fastEndpoints('one')).to.deep.equal([{ accountId: 'one', endpointId: 'prompt' }]);
    limiter.acquireClaimed([], limiter.capacityFor(200));
    expect(fastEndpoints('one'), 'the claim brought nothing').to.deep.equal([]);
  });

  it('names the endpoints without a free slot, so that a claim need not look at them', () => {
    const full = () => limiter.capacityFor(200).fullEndpoints;
    ask('one', 'busy');
    expect(full()).to.deep.equal([]);
    ask('one', 'busy');
    expect(full()).to.deep.equal([{ accountId: 'one', endpointId: 'busy' }]);
    limiter.release('busy', 'responded');
    expect(full()).to.deep.equal([]);
  });

  it('counts the slots of an endpoint that answers some attempts and lets others wait', () => {
    answer('one', 'cheat', 1);
    for (let index = 0; index < 20; index += 1) ask('one', 'cheat');
    expect(capacity('one')).to.equal(50);
    now += 900;
    const last = ask('one', 'cheat');
    now += 101;
    limiter.release('cheat', 'responded', last);
    expect(capacity('one')).to.equal(30);
  });

  it('reserves a tenth of the slots for accounts that hold none', () => {
    for (let index = 0; index < 20; index += 1) {
      for (let count = 0; count < 10; count += 1) answer('one', `prompt ${index}`, 1);
      for (let count = 0; count < 10; count += 1) limiter.acquire(`prompt ${index}`, 'one');
    }

    expect(limiter.held).to.equal(200);

    for (let begun = 0; begun < 180; begun += 1) {
      expect(
        limiter.mayStart({ accountId: 'one', endpointId: 'prompt 0' }),
        String(begun),
      ).to.equal(true);
      limiter.start(`prompt ${Math.floor(begun / 10)}`);
    }

    expect([
      limiter.mayStart({ accountId: 'one', endpointId: 'prompt 0' }),
      limiter.anyMayStart,
    ]).to.deep.equal([false, false]);

    expect([limiter.free, limiter.reservedFree]).to.deep.equal([-20, 20]);

    const { accounts, perAccount } = limiter.reservedCapacityFor(20);
    expect([accounts?.get('one'), perAccount]).to.deep.equal([0, 5]);
    limiter.acquire('other', 'two');

    expect([
      limiter.anyMayStart,
      limiter.mayStart({ accountId: 'two', endpointId: 'other' }),
    ]).to.deep.equal([true, true]);

    limiter.start('other');
    expect(limiter.reservedFree).to.equal(19);
    limiter.acquire('other', 'two');
    expect(limiter.mayStart({ accountId: 'two', endpointId: 'other' }), 'it holds one').to.equal(
      false,
    );
  });

  it('says that another claim may bring more when an account that used up its capacity has a free slot', () => {
    const claims = Array.from({ length: 50 }, (_each, index) => ({
      accountId: 'one',
      endpointId: `new ${index}`,
    }));
    limiter.acquireClaimed(claims, limiter.capacityFor(200));
    expect(limiter.mayClaimMore, 'it has its share').to.equal(false);
    limiter.release('new 0', 'notStarted');
    expect(limiter.mayClaimMore).to.equal(true);
    limiter.acquireClaimed([], limiter.capacityFor(200));
    expect(limiter.mayClaimMore).to.equal(false);
  });

  it('says that another claim may bring more of an endpoint until one brings less than it had room for', () => {
    limiter = new ConcurrencyLimiter(10, 2);
    const claims = (count: number) =>
      Array.from({ length: count }, () => ({ accountId: 'a', endpointId: 'one' }));
    limiter.acquireClaimed(claims(1), limiter.capacityFor(10));
    expect(limiter.mayClaimMore, 'it brought one of two').to.equal(false);
    const capacity = limiter.capacityFor(9);
    limiter.release('one', 'notStarted');
    limiter.acquireClaimed(claims(1), capacity);
    expect(limiter.mayClaimMore, 'the other slot is free by now').to.equal(true);
    limiter.acquireClaimed([], limiter.capacityFor(9));
    expect(limiter.mayClaimMore).to.equal(false);
    expect(limiter.release('one', 'notStarted')).to.equal(false);
  });

  it('does not claim again for an endpoint whose account has no free slot', () => {
    for (let count = 0; count < 10; count += 1) answer('one', 'mixed', 1);
    limiter.capacityFor(200);
    const started = Array.from({ length: 12 }, () => ask('one', 'mixed'));
    hang('one', 50);
    now += 1_001;
    for (const startedAt of started.slice(0, 11)) limiter.release('mixed', 'responded', startedAt);
    limiter.acquireClaimed([], limiter.capacityFor(200));
    expect(capacity('one')).to.equal(0);
    expect(limiter.mayClaimMore, 'the next claim would bring as little').to.equal(false);
    limiter.release('mixed', 'noResponse');
    limiter.release('one hangs 0', 'noResponse');
    expect(limiter.mayClaimMore).to.equal(true);
  });
});

const type = 'cart.order.completed';
const attemptTakesMs = 5;
const perHost = 5;

describe('the limits of hosts', () => {
  describe('in a lane', () => {
    let time: VirtualTime;
    let store: MemoryStore;
    let events: number;

    /** Attempts in flight by account and host, and the most there were. */
    let inFlight: Map<string, number>;
    let most: Map<string, number>;

    /** Endpoints in the order of the attempts that ended. */
    let delivered: string[];
    let hanging: string | undefined;

    beforeEach(() => {
      time = new VirtualTime();
      store = new MemoryStore({
        now: () => Math.floor(time.now),
        policy: testRules().retry,
        random: () => 0.5,
        cancelAtOnce: () => 1,
      });
      events = 0;
      inFlight = new Map();
      most = new Map();
      delivered = [];
      hanging = undefined;
    });

    /** Adds endpoints `<name>1`, `<name>2`, … at one host. */
    const add = (name: string, count: number, accountId = 'acc_1') => {
      for (let place = 1; place <= count; place += 1) {
        store.addEndpoint(`${name}${place}`, [type], accountId);
        const url = `https://${name}.example:${1_000 + place}/${place}?place=${place}`;
        store.updateEndpoint(`${name}${place}`, { url });
      }
    };

    const publish = (count: number) => {
      for (let number = 0; number < count; number += 1) {
        const id = `event ${(events += 1)}`;
        store.publish({ id, type, test: false, pendingDeliveryId: (to) => `${id} to ${to}` });
      }
    };

    const count = (key: string, change: number) => {
      const now = (inFlight.get(key) ?? 0) + change;
      inFlight.set(key, now);
      most.set(key, Math.max(now, most.get(key) ?? 0));
    };

    /** Lets a lane with 40 slots deliver until `ended`. @returns how long that took */
    const run = async (ended: () => boolean) => {
      const clock = time.clockOf({ dead: false, stalledUntil: 0 });
      const cursors = new ClaimCursors();
      let token = 0;
      const options = { initial: 2, perAccount: 20, reserved: 4, perHost, clock };
      const lane = laneOf({
        clock,
        limiter: new ConcurrencyLimiter(40, 20, options),
        claim: (capacity) =>
          Promise.resolve(
            store.claim({ lane: 'live', cursors, capacity, leaseMs: 60_000, token: (token += 1) }),
          ),
        send: async (claim) => {
          const host = new URL(claim.url).hostname;
          count(`${claim.accountId} ${host}`, 1);
          await new Promise<void>((resolve) => {
            if (host !== hanging) clock.after(attemptTakesMs, resolve);
          });
          count(`${claim.accountId} ${host}`, -1);
          return endedOf(claim);
        },
        release: (claims) => store.release(claims),
        onEnded: (attempt) => {
          delivered.push(attempt.claim.endpointId);
          store.recordResults([attempt]);
        },
        unrecorded: () => 0,
        onInternalError: (error) => {
          throw error;
        },
      });

      const startedAt = time.now;
      const poll = () => {
        void lane.poll();
        clock.after(1_000, poll);
      };

      poll();
      await time.run(ended);

      return time.now - startedAt;
    };

    const isEmpty = () => store.pendingDeliveries.size === 0;

    it('H261: limits the attempts in flight to a host, whatever endpoints, ports and paths there are', async () => {
      add('one', 30);
      publish(20);
      const tookMs = await run(isEmpty);
      expect(delivered).to.have.length(600);
      expect(most.get('acc_1 one.example')).to.equal(perHost);
      expect(tookMs, 'all of its slots were in use').to.be.below(
        1.2 * attemptTakesMs * (600 / perHost),
      );
    });

    it('H261: shares the slots of a host fairly among its endpoints', async () => {
      add('one', 30);
      publish(40);
      await run(() => delivered.length >= 600);
      for (let place = 1; place <= 30; place += 1) {
        const own = delivered.filter((id) => id === `one${place}`).length;
        expect(own, `one${place} of 20 on average`).to.be.within(10, 30);
      }
    });

    it('H261: leaves slots for other hosts and for other accounts', async () => {
      add('one', 30);
      add('two', 5);
      add('three', 5, 'acc_2');
      publish(10);
      await run(isEmpty);
      expect(most.get('acc_1 one.example')).to.equal(perHost);
      expect(most.get('acc_1 two.example')).to.equal(perHost);
      expect(most.get('acc_2 three.example')).to.equal(perHost);
    });

    it('H261: delays no other account while a host hangs', async () => {
      add('one', 30);
      add('three', 1, 'acc_2');
      hanging = 'one.example';
      publish(10);
      const others = () => delivered.filter((id) => id === 'three1').length;
      const tookMs = await run(() => others() === 10);
      expect(tookMs).to.be.below(100);
      expect(inFlight.get('acc_1 one.example')).to.equal(perHost);
    });
  });

  const limiterOf = (limit: number) => new ConcurrencyLimiter(100, 20, { perHost: limit });
  const start = (limiter: ConcurrencyLimiter, endpointId: string, url: string, account = 'a') => {
    limiter.acquire(endpointId, account, url);
    if (!limiter.mayStart({ endpointId, accountId: account })) return false;
    limiter.start(endpointId);
    return true;
  };

  it('counts URLs with other ports, paths or a final dot as one host', () => {
    const limiter = limiterOf(3);
    expect(start(limiter, 'one', 'https://a.example/')).to.equal(true);
    expect(start(limiter, 'two', 'https://a.example:8443/path?query')).to.equal(true);
    expect(start(limiter, 'three', 'https://A.example./')).to.equal(true);
    expect(start(limiter, 'four', 'https://a.example/four')).to.equal(false);
    expect(start(limiter, 'five', 'https://b.example/')).to.equal(true);
    expect(start(limiter, 'six', 'https://a.example/', 'another account')).to.equal(true);
  });

  it('names the endpoints of a host without a free slot as full, until it has one', () => {
    const limiter = limiterOf(2);
    start(limiter, 'one', 'https://a.example/1');
    start(limiter, 'two', 'https://a.example/2');
    start(limiter, 'three', 'https://b.example/');
    const full = () =>
      (limiter.capacityFor(50).fullEndpoints ?? []).map(({ endpointId }) => endpointId);
    expect(full()).to.deep.equal(['one', 'two']);
    expect(limiter.release('one', 'responded'), 'a claim may bring more now').to.equal(true);
    expect(full()).to.deep.equal([]);
  });

  it('moves the attempts in flight of an endpoint to its new host', () => {
    const limiter = limiterOf(2);
    start(limiter, 'one', 'https://a.example/');
    expect(start(limiter, 'one', 'https://b.example/')).to.equal(true);
    expect(start(limiter, 'two', 'https://b.example/')).to.equal(false);
    expect(start(limiter, 'three', 'https://a.example/')).to.equal(true);
    limiter.release('one', 'responded');
    expect(limiter.mayStart({ endpointId: 'two', accountId: 'a' })).to.equal(true);
  });
});
