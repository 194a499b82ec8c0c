import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { Promoted } from '../../../../src/domain/delivery/promote.js';
import type { RecordResult } from '../../../../src/domain/delivery/recording.js';
import { ClaimManager, type ClaimStore } from '../../../../workers/delivery/claims.js';
import { leaseTimes } from '../../../../workers/delivery/lease-times.js';
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
const away = new Error('away');
/** PostgreSQL's time when the clock of the process is 0. */
const databaseEpoch = 1_800_000_000_000;

describe('claims that a process holds', () => {
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
      isUnavailable: (error) => error === away,
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

  it('cost no statement while attempts are under way, or are recorded in time', async () => {
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

  it('have their leases extended when half of them is over, before anything is promoted', async () => {
    claimManager.resultWriter.add(endedOf(await hold(1)), 30_000);
    claimManager.resultWriter.add(endedOf(await hold(2)), 30_000);
    now = 15_000;
    await promote();
    expect(extended).to.deep.equal([[1, 2]]);
    now = 29_000;
    await promote();
    expect(extended, 'they last for 30 seconds again').to.have.length(1);
  });

  it('hold what could not be given back, too', async () => {
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

  it('are given back a second later when the database was away, released and deferred ones', async () => {
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

  it('have their leases extended while giving back waits for a lock, which is asked for once', async () => {
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

  it('end the leases of others when the database has answered for 10 seconds', async () => {
    await promoteEachSecond(11);
    expect(endedBy).to.deep.equal([...none(10), databaseEpoch + 10_000]);
    fails = true;
    await promoteEachSecond(1);
    fails = false;
    endedBy = [];
    await promoteEachSecond(11);
    expect(endedBy).to.deep.equal([...none(10), databaseEpoch + 22_000]);
  });

  it('keep what ended while PostgreSQL paused, and end nothing for 10 seconds afterwards', async () => {
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
