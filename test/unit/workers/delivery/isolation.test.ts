import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import { processClock } from '../../../../workers/clock.js';
import type { DeliveryLane } from '../../../../workers/delivery/lane.js';
import { ConcurrencyLimiter } from '../../../../workers/delivery/limiter.js';
import { Isolation } from '../../../../workers/delivery/isolation.js';
import { ReadyDeliveries, endedOf, laneOf, type TestLane } from '../../../support/engine.js';
import { eventually } from '../../../support/eventually.js';
import type { EndedAttempt } from '../../../../src/domain/delivery/attempt.js';
import type { Claim } from '../../../../src/domain/delivery/claim.js';

describe('isolation', () => {
  let attempts: ManualAttempts;
  let recordsAtOnce: boolean;
  let otherDeliveries: ReadyDeliveries;
  let isolatedDeliveries: ReadyDeliveries;
  let others: DeliveryLane;
  let isolated: DeliveryLane;
  let isolation: Isolation;
  let internalErrors: unknown[];
  let lockTaken: boolean;
  let away: Error | undefined;
  let cooldowns: number[];
  let endIsolation: () => void;
  let unrecorded = 0;
  let checks = 0;
  let passedMs = 0;

  const createLane = (lane: TestLane['lane'], deliveries: ReadyDeliveries, slots: number) =>
    laneOf({
      lane,
      limiter: new ConcurrencyLimiter(slots, slots),
      claim: (capacity) => Promise.resolve(deliveries.claim(capacity)),
      send: attempts.begin,
      onEnded: () => void (unrecorded += recordsAtOnce ? 0 : 1),
      // As in a worker, records that lag do not keep the others from claiming.
      unrecorded: () => (lane === 'isolated' ? unrecorded : 0),
      release: (claims) => deliveries.release(claims),
      onInternalError: (error) => void internalErrors.push(error),
    });

  const acquireLock = () => {
    if (away) return Promise.reject(away);
    if (lockTaken || isolatedDeliveries.left === 0) return Promise.resolve(false);
    lockTaken = true;
    return Promise.resolve(true);
  };

  const releaseLock = (cooldownMs: number) => {
    if (away) return Promise.reject(away);
    lockTaken = false;
    cooldowns.push(cooldownMs);
    return Promise.resolve();
  };

  const sent = () => attempts.endpoints;
  const suspectSent = () =>
    eventually(() => expect(sent()).to.deep.equal(['suspect']), 'the suspect is sent');

  beforeEach(() => {
    attempts = new ManualAttempts();
    unrecorded = 0;
    checks = 0;
    passedMs = 0;
    internalErrors = [];
    cooldowns = [];
    recordsAtOnce = false;
    lockTaken = false;
    away = undefined;
    otherDeliveries = new ReadyDeliveries();
    isolatedDeliveries = new ReadyDeliveries();
    others = createLane('live', otherDeliveries, 4);
    isolated = createLane('isolated', isolatedDeliveries, 1);
    void isolated.pause();

    isolation = new Isolation({
      acquireLock,
      releaseLock,
      isolatedLane: isolated,
      otherLanes: [others],
      unrecorded: () => {
        checks += 1;
        return unrecorded;
      },
      clock: {
        now: () => processClock.now() + passedMs,
        after: (ms, work) => {
          if (ms === 1_000) endIsolation = work;
          return processClock.after(ms, work);
        },
      },
      lockMs: 60_000,
      onError: (error) => void internalErrors.push(error),
    });
  });

  afterEach(async () => {
    unrecorded = 0;
    const stopped = Promise.all([others.stop(0), isolated.stop(0)]);
    attempts.endAll();
    await stopped;
    expect(internalErrors).to.deep.equal([]);
  });

  it('starts when nothing is in flight and all is recorded, and lets no other attempt start', async () => {
    otherDeliveries.add('other', 20);
    isolatedDeliveries.add('suspect', 1);
    void others.poll();
    await eventually(() => expect(sent()).to.have.length(4), 'the others are in flight');
    isolation.poll();
    attempts.endAll();
    await eventually(() => expect(others.free).to.equal(4), 'all have ended');
    void others.poll();
    await turn();
    expect(sent(), 'while four are not recorded').to.deep.equal([]);
    unrecorded = 0;
    await suspectSent();
    void others.poll();
    await turn();
    expect(sent(), 'beside it').to.deep.equal(['suspect']);
    attempts.endAll();
    await eventually(() => expect(unrecorded).to.equal(1), 'it has ended');
    endIsolation();
    await eventually(() => expect(checks).to.be.greaterThan(1), 'it waits for the record');
    expect(sent(), 'while it is not recorded').to.deep.equal([]);
    unrecorded = 0;
    await eventually(() => expect(sent()).to.have.length(4), 'the others go on');
  });

  it('pauses no lane without isolated deliveries', async () => {
    otherDeliveries.add('other', 2);
    isolation.poll();
    await isolation.ended();
    await others.poll();
    expect(sent()).to.deep.equal(['other', 'other']);
  });

  it('ends its run in time, then rests for as long as the run took', async () => {
    recordsAtOnce = true;
    isolatedDeliveries.add('suspect', 1);

    const startedAt = processClock.now();
    isolation.poll();
    await suspectSent();
    expect(lockTaken).to.equal(true);

    const sentAt = processClock.now();
    await turn();

    const leastMs = processClock.now() - sentAt;
    attempts.endAll();
    await isolation.ended();
    expect(cooldowns).to.have.length(1);
    expect(cooldowns[0]).to.be.within(leastMs, processClock.now() - startedAt);
  });

  it('waits until the lock expires for a result that is never recorded', async () => {
    isolatedDeliveries.add('suspect', 1);
    isolation.poll();
    await suspectSent();
    attempts.endAll();
    await eventually(() => expect(unrecorded).to.equal(1), 'it has ended');
    endIsolation();
    await eventually(() => expect(checks).to.be.greaterThan(1), 'it waits for the record');
    expect(cooldowns, 'within its turn').to.deep.equal([]);
    passedMs = 60_000;
    await eventually(() => expect(cooldowns).to.have.length(1), 'the turn is over');
    expect(lockTaken).to.equal(false);
  });

  it('sends no isolated delivery between its runs', async () => {
    recordsAtOnce = true;
    isolatedDeliveries.add('suspect', 1);
    isolation.poll();
    await suspectSent();
    attempts.endAll();
    await isolation.ended();
    isolatedDeliveries.add('suspect', 1);
    void isolated.poll();
    await turn();
    expect(sent(), 'outside a turn').to.deep.equal([]);
    isolation.poll();
    await suspectSent();
  });

  it('reports an unreachable database, resumes the other lanes, and works at the next poll', async () => {
    recordsAtOnce = true;
    isolatedDeliveries.add('suspect', 1);
    otherDeliveries.add('other', 1);

    const failure = (away = new Error('away'));
    isolation.poll();
    await isolation.ended();
    expect(internalErrors.splice(0), 'no turn').to.deep.equal([failure]);
    away = undefined;
    isolation.poll();
    await suspectSent();
    away = failure;
    attempts.endAll();
    await isolation.ended();
    expect(internalErrors.splice(0), 'no end of the turn').to.deep.equal([failure]);
    await eventually(() => expect(sent()).to.deep.equal(['other']), 'the others go on');
  });

  it('pauses no lane while another process has the lock', async () => {
    lockTaken = true;
    isolatedDeliveries.add('suspect', 1);
    otherDeliveries.add('other', 1);
    isolation.poll();
    await isolation.ended();
    await others.poll();
    expect(sent()).to.deep.equal(['other']);
    expect(cooldowns).to.deep.equal([]);
  });
});

/** Attempts that last until the test ends them. */
class ManualAttempts {
  readonly #ends = new Map<Claim, () => void>();

  /** Starts an attempt; the `attempt` function of a lane. */
  readonly begin = (claim: Claim): Promise<EndedAttempt> =>
    new Promise((resolve) => this.#ends.set(claim, () => resolve(endedOf(claim))));

  /** The endpoints of all running attempts. */
  get endpoints(): string[] {
    return [...this.#ends.keys()].map(({ endpointId }) => endpointId);
  }

  /** Ends all running attempts as accepted. */
  endAll(): void {
    const ends = [...this.#ends.values()];
    this.#ends.clear();
    for (const end of ends) end();
  }
}
