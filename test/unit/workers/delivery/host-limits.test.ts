import { expect } from 'chai';
import { ClaimCursors } from '../../../../src/domain/delivery/claiming.js';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';
import { endedOf, dispatcherOf } from '../../../support/engine.js';
import { testRules } from '../../../support/database.js';
import { MemoryStore } from '../../../simulation/memory-store.js';
import { VirtualTime } from '../../../simulation/virtual-time.js';

const type = 'cart.order.completed';
const attemptTakesMs = 5;
const perHost = 5;

describe('limits of the hosts of an account', () => {
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
      for (let each = 0; each < count; each += 1) {
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
      const dispatcher = dispatcherOf({
        clock,
        limiter: new ConcurrencyLimiter(40, 20, options),
        claim: (capacity) =>
          Promise.resolve(store.claim('live', cursors, capacity, 60_000, (token += 1))),
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
        void dispatcher.poll();
        clock.after(1_000, poll);
      };

      poll();
      await time.run(ended);

      return time.now - startedAt;
    };

    const isEmpty = () => store.pendingDeliveries.size === 0;

    it('H261: bound the attempts in flight, whatever endpoints, ports and paths there are', async () => {
      add('one', 30);
      publish(20);
      const tookMs = await run(isEmpty);
      expect(delivered).to.have.length(600);
      expect(most.get('acc_1 one.example')).to.equal(perHost);
      expect(tookMs, 'all of its slots were in use').to.be.below(
        1.2 * attemptTakesMs * (600 / perHost),
      );
    });

    it('H261: are shared fairly among the endpoints of a host', async () => {
      add('one', 30);
      publish(40);
      await run(() => delivered.length >= 600);
      for (let place = 1; place <= 30; place += 1) {
        const own = delivered.filter((id) => id === `one${place}`).length;
        expect(own, `one${place} of 20 on average`).to.be.within(10, 30);
      }
    });

    it('H261: leave room for other hosts and for other accounts', async () => {
      add('one', 30);
      add('two', 5);
      add('three', 5, 'acc_2');
      publish(10);
      await run(isEmpty);
      expect(most.get('acc_1 one.example')).to.equal(perHost);
      expect(most.get('acc_1 two.example')).to.equal(perHost);
      expect(most.get('acc_2 three.example')).to.equal(perHost);
    });

    it('H261: delay no other account while the host hangs', async () => {
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
    limiter.started(endpointId);
    return true;
  };

  it('count ports, paths and a last dot as one host', () => {
    const limiter = limiterOf(3);
    expect(start(limiter, 'one', 'https://a.example/')).to.equal(true);
    expect(start(limiter, 'two', 'https://a.example:8443/path?query')).to.equal(true);
    expect(start(limiter, 'three', 'https://A.example./')).to.equal(true);
    expect(start(limiter, 'four', 'https://a.example/four')).to.equal(false);
    expect(start(limiter, 'five', 'https://b.example/')).to.equal(true);
    expect(start(limiter, 'six', 'https://a.example/', 'another account')).to.equal(true);
  });

  it('pass the endpoints of a host without a free slot, until it has one', () => {
    const limiter = limiterOf(2);
    start(limiter, 'one', 'https://a.example/1');
    start(limiter, 'two', 'https://a.example/2');
    start(limiter, 'three', 'https://b.example/');
    const full = () => (limiter.capacityFor(50).full ?? []).map(({ endpointId }) => endpointId);
    expect(full()).to.deep.equal(['one', 'two']);
    expect(limiter.release('one', 'responded'), 'a claim may bring more now').to.equal(true);
    expect(full()).to.deep.equal([]);
  });

  it('follow an endpoint to its new host with what is in flight', () => {
    const limiter = limiterOf(2);
    start(limiter, 'one', 'https://a.example/');
    expect(start(limiter, 'one', 'https://b.example/')).to.equal(true);
    expect(start(limiter, 'two', 'https://b.example/')).to.equal(false);
    expect(start(limiter, 'three', 'https://a.example/')).to.equal(true);
    limiter.release('one', 'responded');
    expect(limiter.mayStart({ endpointId: 'two', accountId: 'a' })).to.equal(true);
  });
});
