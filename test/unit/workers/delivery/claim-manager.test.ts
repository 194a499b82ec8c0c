import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { Promoted } from '../../../../src/domain/delivery/promote.js';
import type { RecordResult } from '../../../../src/domain/delivery/recording.js';
import {
  ClaimManager,
  type ClaimStore,
  ClaimReleases,
  Leases,
  UnconfirmedClaims,
} from '../../../../workers/delivery/claim-manager.js';
import { DatabaseStability, leaseTimes } from '../../../../workers/delivery/lease-times.js';
import { claimOf, endedOf } from '../../../support/engine.js';

const noResult: RecordResult = { recorded: [], disabled: [] };
const nothing: Promoted = {
  live: 0,
  replays: 0,
  isolated: 0,
  interrupted: 0,
  deadLettered: [],
  full: false,
  nowMs: 0,
};
const away = new Error('Connection terminated unexpectedly');
/** PostgreSQL's time when the clock of the process is 0. */
const databaseEpoch = 1_800_000_000_000;

describe('the claim manager', () => {
  let now: number;
  let extended: (readonly number[])[];

  /** By when the leases had ended that each call of `promote` might end. */
  let endedBy: number[];

  /** How long PostgreSQL takes for such a call. */
  let takesMs: number;
  let fails: boolean;

  /** Calls that give claims back. */
  let calls: string[];

  /** Given back only when it resolves, as behind a lock. */
  let lock: Promise<void> | undefined;
  let errors: unknown[];
  let claimManager: ClaimManager;

  /** What waits for its time; the test says when it comes. */
  let timers: (() => void)[];

  beforeEach(() => {
    now = 0;
    extended = [];
    endedBy = [];
    takesMs = 0;
    fails = false;
    timers = [];
    calls = [];
    lock = undefined;
    errors = [];

    const retryReleases = (call: string) => {
      calls.push(call);
      return lock ?? orAway(undefined);
    };

    const orAway = <T>(value: T) => (fails ? Promise.reject(away) : Promise.resolve(value));
    const store: ClaimStore = {
      recordResults: () => new Promise<RecordResult>(() => undefined),
      extend: (tokens) => {
        extended.push(tokens);
        return orAway(tokens);
      },
      release: () => retryReleases('release'),
      defer: () => retryReleases('defer'),
      releaseUnconfirmed: () => orAway([]),
      deleteLeases: () => orAway(undefined),
      promote: (by) => {
        endedBy.push(by);
        now += takesMs;
        return orAway({ ...nothing, nowMs: databaseEpoch + now });
      },
      poll: () => Promise.reject(new Error('only the poller polls')),
    };

    claimManager = new ClaimManager({
      store,
      times: leaseTimes(15_000),
      onRecorded: () => noResult,
      onRecordError: () => undefined,
      onDropped: () => undefined,
      onError: (error) => void errors.push(error),
      clock: {
        now: () => now,
        after: (_ms, work) => {
          timers.push(work);
          return () => undefined;
        },
      },
    });
  });

  const hold = async (token: number) => {
    const claim = { ...claimOf(`c${token}`, 'e'), token };
    await claimManager.claim(() => Promise.resolve([claim]));
    return claim;
  };

  const second = async () => {
    now += 1_000;
    for (const work of timers.splice(0)) work();
    await turn();
  };

  const promote = () => claimManager.promote().catch((error: unknown) => error);

  it('runs no statement while attempts are in flight, or when they are recorded in time', async () => {
    await hold(1);
    now = 29_000;
    await claimManager.extend();
    expect(extended).to.deep.equal([]);
    const claim = await hold(2);
    claimManager.resultWriter.add(endedOf(claim), now + 30_000);
    now += 14_000;
    await claimManager.extend();
    expect(extended).to.deep.equal([]);
  });

  it('extends leases when half of their time is over, before it promotes', async () => {
    claimManager.resultWriter.add(endedOf(await hold(1)), 30_000);
    claimManager.resultWriter.add(endedOf(await hold(2)), 30_000);
    now = 15_000;
    await promote();
    expect(extended).to.deep.equal([[1, 2]]);
    now = 29_000;
    await promote();
    expect(extended, 'they last for 30 seconds again').to.have.length(1);
  });

  it('extends the leases of claims that it could not release', async () => {
    const claim = await hold(1);
    fails = true;
    await claimManager.release([claim]);
    now = 15_000;
    await promote();
    expect(extended).to.deep.equal([[1]]);
    fails = false;
    await claimManager.retryReleases();
    await claimManager.extend();
    expect(extended).to.have.length(1);
  });

  it('releases and defers claims a second later after the database was unreachable', async () => {
    const released = await hold(1);
    const deferred = await hold(2);
    fails = true;
    await claimManager.release([released]);
    await claimManager.defer(deferred);
    expect(calls.splice(0)).to.deep.equal(['release', 'defer']);
    fails = false;
    await second();
    expect(calls.splice(0)).to.deep.equal(['release', 'defer']);
    await second();
    expect(calls, 'once').to.deep.equal([]);
    expect(errors).to.deep.equal([away, away]);
  });

  it('extends leases while a release waits for a lock, and asks for the lock once', async () => {
    const claim = await hold(1);
    fails = true;
    await claimManager.release([claim]);
    fails = false;
    calls = [];
    errors = [];

    let refuse: (reason: Error) => void = () => undefined;
    lock = new Promise((_resolve, reject) => (refuse = reject));
    for (let count = 0; count < 15; count += 1) await second();
    expect(extended).to.deep.equal([[1]]);
    refuse(away);
    await turn();
    expect([calls, errors]).to.deep.equal([['release'], [away]]);
  });

  const promoteEachSecond = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      now += 1_000;
      await promote();
    }
  };

  const none = (times: number) => Array<number>(times).fill(-Infinity);

  it('ends the leases of others when the database has answered for 10 seconds', async () => {
    await promoteEachSecond(11);
    expect(endedBy).to.deep.equal([...none(10), databaseEpoch + 10_000]);
    fails = true;
    await promoteEachSecond(1);
    fails = false;
    endedBy = [];
    await promoteEachSecond(11);
    expect(endedBy).to.deep.equal([...none(10), databaseEpoch + 22_000]);
  });

  it('keeps leases that ended while PostgreSQL paused, and ends none for 10 seconds afterwards', async () => {
    await promoteEachSecond(11);
    endedBy = [];
    takesMs = 20_000;
    await promoteEachSecond(1);
    expect(endedBy, 'by its time before the pause').to.deep.equal([databaseEpoch + 11_000]);
    takesMs = 0;
    endedBy = [];
    await promoteEachSecond(11);
    expect(endedBy).to.deep.equal([...none(10), databaseEpoch + 42_000]);
  });
});

describe('releasing claims', () => {
  const away = new Error('Connection terminated unexpectedly');
  const failure = new Error('a fault of ours');
  let errors: unknown[];
  let failures: Error[];
  let released: number;
  let releases: ClaimReleases;

  beforeEach(() => {
    errors = [];
    failures = [];
    released = 0;
    releases = new ClaimReleases({
      onError: (error) => void errors.push(error),
    });
  });

  const work = () => {
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    released += 1;
    return Promise.resolve();
  };

  it('retries a release until the database accepts it, and names its leases meanwhile', async () => {
    failures = [away, away];
    await releases.add([{ token: 1 }, { token: 2 }], work);
    expect(errors).to.deep.equal([away]);
    expect([...releases.tokens()]).to.deep.equal([1, 2]);
    expect(await releases.retry().catch((error: unknown) => error)).to.equal(away);
    expect([...releases.tokens()]).to.deep.equal([1, 2]);
    await releases.retry();
    await releases.retry();
    expect(released).to.equal(1);
    expect([...releases.tokens()]).to.deep.equal([]);
  });

  it('gives up a release that no retry can recover', async () => {
    failures = [failure];
    const refused = await releases.add([{ token: 1 }], work).catch((error: unknown) => error);
    expect(refused).to.equal(failure);
    failures = [away, failure];
    await releases.add([{ token: 1 }], work);
    await releases.retry();
    expect(errors).to.deep.equal([away, failure]);
    expect([...releases.tokens()]).to.deep.equal([]);
  });

  it('joins two retries at the same time, so each claim is released once', async () => {
    failures = [away];
    await releases.add([{ token: 1 }], work);
    await Promise.all([releases.retry(), releases.retry()]);
    expect(released).to.equal(1);
  });

  it('retries other releases although the database refuses one', async () => {
    await releases.add([{ token: 1 }], () => Promise.reject(away));
    failures = [away];
    await releases.add([{ token: 2 }], work);
    for (let round = 0; round < 2; round += 1) await releases.retry().catch(() => undefined);
    expect(released).to.equal(1);
    expect([...releases.tokens()]).to.deep.equal([1]);
  });
});

describe('the leases of a process', () => {
  let now: number;
  let leases: Leases;

  beforeEach(() => {
    now = 0;
    leases = new Leases({ now: () => now, after: () => () => undefined });
  });

  const claims = (token: number, count: number) => Array.from({ length: count }, () => ({ token }));

  it('returns a finished lease once, when all of its claims have ended', () => {
    leases.add([...claims(1, 3), ...claims(2, 1)], 60_000);
    leases.ended(claims(1, 2));
    expect(leases.takeFinished()).to.deep.equal([]);
    leases.ended([...claims(1, 1), ...claims(2, 1)]);
    expect(leases.takeFinished()).to.have.members([1, 2]);
    expect(leases.takeFinished()).to.deep.equal([]);
  });

  it('leaves the lease of a claim that never ends to the poller', () => {
    leases.add(claims(1, 2), 60_000);
    leases.ended(claims(1, 1));
    now = 60_000;
    expect(leases.takeFinished()).to.deep.equal([]);
    leases.ended(claims(1, 1));
    expect(leases.takeFinished()).to.deep.equal([]);
  });

  it('names each lease that ends soon once, and not after it was extended', () => {
    leases.add(claims(1, 2), 60_000);
    leases.add(claims(2, 1), 90_000);
    now = 40_000;
    expect(leases.endingWithin(30_000, [1, 2, 1])).to.deep.equal([1]);
    leases.extended([1], 100_000);
    expect(leases.endingWithin(30_000, [1, 2])).to.deep.equal([]);
    now = 95_000;
    leases.takeFinished();
    expect(leases.endingWithin(0, [2]), 'forgotten here').to.deep.equal([2]);
    leases.ended(claims(1, 2));
    expect(leases.takeFinished()).to.deep.equal([1]);
  });
});

describe('the times of a lease', () => {
  it('leaves time for an attempt that starts as late as it may, and for recording it', () => {
    for (const timeoutMs of [500, 1_000, 15_000, 60_000]) {
      const { leaseMs, claimTimeoutMs, startTimeoutMs, graceMs } = leaseTimes(timeoutMs);
      expect(leaseMs - claimTimeoutMs - startTimeoutMs - timeoutMs).to.be.at.least(1_000);
      expect(graceMs).to.be.within(4_000, Math.min(10_000, leaseMs));
    }
  });

  it('lets a lease last two minutes at most, because the poller cuts longer ones', () => {
    expect(leaseTimes(60_000).leaseMs).to.equal(120_000);
  });
});

describe('unconfirmed claims', () => {
  let now: number;
  let tokens: number;
  let requested: (readonly number[])[];

  /** Pending deliveries that the database holds by token. */
  let claimedByToken: Map<number, number>;
  let away: boolean;
  let internalError: Error | undefined;
  let unconfirmed: UnconfirmedClaims;
  const lost = new Error('Connection terminated unexpectedly');

  beforeEach(() => {
    now = 0;
    tokens = 0;
    requested = [];
    away = false;
    internalError = undefined;
    claimedByToken = new Map();

    unconfirmed = new UnconfirmedClaims({
      release: (wanted) => {
        if (away) return Promise.reject(lost);
        if (internalError) return Promise.reject(internalError);
        requested.push(wanted);
        const found = wanted.filter((token) => claimedByToken.has(token));
        const released = found.map((token) => ({
          token,
          pendingDeliveries: claimedByToken.get(token) ?? 0,
        }));
        for (const token of found) claimedByToken.delete(token);
        return Promise.resolve(released);
      },
      leaseMs: 30_000,
      clock: { now: () => now, after: () => () => undefined },
      makeToken: () => ++tokens,
    });
  });

  const lose = (error: Error = lost) =>
    unconfirmed.claim(() => Promise.reject(error)).catch((caught: unknown) => caught);

  it('releases an unconfirmed claim once', async () => {
    expect(await lose()).to.equal(lost);
    claimedByToken.set(1, 3);
    expect(await unconfirmed.release()).to.equal(3);
    expect(await unconfirmed.release()).to.equal(0);
    expect(requested).to.deep.equal([[1]]);
  });

  it('looks for a claim again for as long as its statement may still be carried out', async () => {
    await lose();
    expect(await unconfirmed.release()).to.equal(0);
    now = 29_999;
    claimedByToken.set(1, 2);
    expect(await unconfirmed.release()).to.equal(2);
    await lose();
    await unconfirmed.release();
    now += 30_000;
    await unconfirmed.release();
    await unconfirmed.release();
    expect(requested).to.deep.equal([[1], [1], [2], [2]]);
  });

  it('looks for a claim as soon as the database answers, however long that takes', async () => {
    await lose();
    claimedByToken.set(1, 2);
    away = true;
    now = 3_600_000;
    expect(await unconfirmed.release().catch((error: unknown) => error)).to.equal(lost);
    away = false;
    expect(await unconfirmed.release()).to.equal(2);
  });

  it('looks for a claim again that a paused database executes after the release', async () => {
    await lose();
    away = true;
    now = 60_000;
    expect(await unconfirmed.release().catch((error: unknown) => error)).to.equal(lost);
    away = false;
    now = 120_000;
    expect(await unconfirmed.release()).to.equal(0);
    claimedByToken.set(1, 2);
    expect(await unconfirmed.release()).to.equal(2);
  });

  it('remembers no claim that came back or was refused', async () => {
    expect(await unconfirmed.claim((token) => Promise.resolve(token))).to.equal(1);
    await lose(new Error('a fault of ours'));
    await unconfirmed.release();
    expect(requested).to.deep.equal([]);
  });

  it('remembers the first thousand of very many claims', async () => {
    for (let count = 0; count < 1_500; count += 1) await lose();
    await unconfirmed.release();
    expect(requested[0]).to.have.length(1_000).and.to.include(1);
  });

  it('forgets claims at the end of their leases when it cannot release them at all', async () => {
    await lose();
    const refused = new Error('a fault of ours');
    internalError = refused;
    expect(await unconfirmed.release().catch((error: unknown) => error)).to.equal(refused);
    now = 30_000;
    expect(await unconfirmed.release().catch((error: unknown) => error)).to.equal(refused);
    internalError = undefined;
    expect(await unconfirmed.release()).to.equal(0);
    expect(requested).to.deep.equal([]);
  });
});

describe('the leases that a poll may end', () => {
  let now: number;
  let stability: DatabaseStability;

  beforeEach(() => {
    now = 0;
    const clock = { now: () => now, after: () => () => undefined };
    stability = new DatabaseStability({ graceMs: 4_000, stallMs: 2_000, clock });
  });

  /** Lets time pass in a process that polls once a second. PostgreSQL's clock is that of the process. */
  const pass = (ms: number) => {
    for (const end = now + ms; now < end;) {
      now += 1_000;
      stability.heartbeat();
      stability.answered(now);
      stability.ended(now);
    }
  };

  it('ends no lease until the database has answered for the time of grace', () => {
    pass(4_000);
    expect(stability.endedBy()).to.equal(-Infinity);
    pass(1_000);
    expect(stability.endedBy()).to.equal(5_000);
  });

  it('ends no lease until the database answers, however long the process has run', () => {
    for (; now < 10_000; now += 1_000) stability.heartbeat();
    expect(stability.endedBy()).to.equal(-Infinity);
    pass(4_000);
    expect(stability.endedBy()).to.equal(-Infinity);
    pass(1_000);
    expect(stability.endedBy()).to.equal(15_000);
  });

  it('ends no lease for a while after the database failed', () => {
    pass(10_000);
    stability.failed();
    expect(stability.endedBy()).to.equal(-Infinity);
    pass(4_000);
    expect(stability.endedBy()).to.equal(-Infinity);
    pass(1_000);
    expect(stability.endedBy()).to.equal(15_000);
  });

  it('ends no lease for a while after the process stalled', () => {
    pass(10_000);
    now += 60_000;
    expect(stability.endedBy()).to.equal(-Infinity);
    pass(5_000);
    expect(stability.endedBy()).to.equal(75_000);
  });

  it('ends only leases that had ended when the database last answered', () => {
    pass(10_000);
    now += 1_500;
    expect(stability.endedBy()).to.equal(10_000);
  });

  it('ends no lease for a while after the database paused and then answered', () => {
    pass(10_000);
    const sentAt = now;
    // The process goes on meanwhile.
    for (let second = 0; second < 3; second += 1) {
      now += 1_000;
      stability.heartbeat();
    }
    stability.answered(now);
    stability.ended(sentAt);
    expect(stability.endedBy()).to.equal(-Infinity);
    pass(5_000);
    expect(stability.endedBy()).to.equal(18_000);
  });
});
