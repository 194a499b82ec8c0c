import { expect } from 'chai';
import type { Lane } from '../../../../src/domain/delivery/claim.js';
import { laneLimiter } from '../../../../workers/delivery/concurrency-limiter.js';
import type { Dispatcher } from '../../../../workers/delivery/dispatcher.js';
import { endedOf, ReadyDeliveries } from '../../../support/claims.js';
import { dispatcherOf } from '../../../support/test-lane.js';
import { VirtualTime } from '../../../simulation/virtual-time.js';

const [claimTakesMs, attemptTakesMs] = [2, 5];

describe('the pace of a lane', () => {
  let time: VirtualTime;
  let ready: ReadyDeliveries;
  let startedAt: number[];
  let dispatcher: Dispatcher | undefined;

  beforeEach(() => {
    [time, ready, startedAt] = [new VirtualTime(), new ReadyDeliveries(), []];
  });

  /** Lets a lane with 20 slots work for a second. */
  const runFor1s = async (lane: Lane) => {
    const clock = time.clockOf({ dead: false, stalledUntil: 0 });
    const after = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
    dispatcher = dispatcherOf({
      ...{ lane, clock, limiter: laneLimiter(20, 20) },
      claim: async (capacity) => {
        await after(claimTakesMs);
        return ready.claim(capacity);
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
    ready.add('one', 5_000);
    void dispatcher.poll();
    await time.run(() => time.now >= 1_000);
  };
  const most = (counts: Iterable<number>) => Math.max(...counts);
  const startsByTime = () => {
    const counts = new Map<number, number>();
    for (const at of startedAt) counts.set(at, (counts.get(at) ?? 0) + 1);
    return counts;
  };

  it('lets attempts of recoveries start one after the other, in few claims', async () => {
    await runFor1s('recovery');
    expect(most(startsByTime().values())).to.equal(1);
    expect(ready.requested.length).to.be.at.most(50);
    // The highest rate of a recovery.
    expect(startedAt.length).to.be.at.least(500);
  });

  it('lets live attempts start at once', async () => {
    await runFor1s('live');
    expect(most(startsByTime().values())).to.be.greaterThan(1);
    expect(startedAt.length).to.be.greaterThan(1_000);
  });
});
