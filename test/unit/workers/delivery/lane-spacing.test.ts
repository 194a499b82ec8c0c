import { expect } from 'chai';
import type { Lane } from '../../../../src/domain/delivery/claim.js';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';
import type { Dispatcher } from '../../../../workers/delivery/dispatcher.js';
import { endedOf, ReadyDeliveries, dispatcherOf } from '../../../support/engine.js';
import { VirtualTime } from '../../../simulation/virtual-time.js';

const claimTakesMs = 2;
const attemptTakesMs = 5;

describe('the spacing of a lane', () => {
  let time: VirtualTime;
  let ready: ReadyDeliveries;
  let startedAt: number[];
  let dispatcher: Dispatcher | undefined;

  beforeEach(() => {
    time = new VirtualTime();
    ready = new ReadyDeliveries();
    startedAt = [];
  });

  /** Lets a lane work for a second, for an endpoint of one account that gets more every 100 ms. */
  const runFor1s = async (lane: Lane, slots: number, eachStep = 50) => {
    const clock = time.clockOf({ dead: false, stalledUntil: 0 });
    const after = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

    // As that of a lane, on this clock.
    const limits = { initial: 2, perAccount: slots / 4, reserved: slots / 10, clock };
    dispatcher = dispatcherOf({
      lane,
      clock,
      limiter: new ConcurrencyLimiter(slots, 20, limits),
      claim: async (capacity) => {
        await after(claimTakesMs);
        const { perAccount = slots, accounts, fast = [] } = capacity;
        const room = fast.length > 0 ? slots : (accounts?.get('acc_1') ?? perAccount);
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

    // As the steps of a recovery at its highest rate.
    const step = () => {
      ready.add('one', eachStep);
      void dispatcher?.poll();
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

  it('lets attempts of recoveries start one after the other, in few claims', async () => {
    await runFor1s('recovery', 40);
    expect(most(startsByTime().values())).to.equal(1);
    expect(ready.requested.length).to.be.at.most(100);
    expect(startedAt.length).to.equal(500);
  });

  it('lets live attempts start at once', async () => {
    await runFor1s('live', 200, 500);
    expect(most(startsByTime().values())).to.be.greaterThan(1);
    expect(startedAt.length).to.be.greaterThan(1_000);
  });
});
