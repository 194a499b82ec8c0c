import type { Capacity, Claim } from '../../src/domain/delivery/claim.js';
import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { LaneDependencies } from '../../workers/delivery/lane.js';
import { Dispatcher } from '../../workers/delivery/dispatcher.js';

/** A lane without a database: functions of the test take the place of its statements. */
export interface TestLane extends Pick<LaneDependencies, 'limiter' | 'send' | 'clock'> {
  /** Defaults to `live`. */
  readonly lane?: LaneDependencies['lane'] | undefined;
  readonly claim: (capacity: Capacity) => Promise<Claim[]>;
  readonly release: (claims: readonly Claim[]) => void;
  /** Defaults to none, for endpoints without a rate limit. */
  readonly reserveSendTimes?: LaneDependencies['reserveSendTimes'];
  /** Defaults to doing nothing. */
  readonly defer?: LaneDependencies['claims']['defer'];
  readonly onEnded: (ended: EndedAttempt) => void;
  /** Attempts that have ended and are not recorded yet. */
  readonly unrecorded: () => number;
  /** Called with every error that a lane logs. */
  readonly onInternalError: (error: unknown) => void;
}

/** Dispatches in such a lane. */
export function dispatcherOf(test: TestLane): Dispatcher {
  const { lane = 'live', claim, onEnded, unrecorded, onInternalError } = test;
  return new Dispatcher({
    lane,
    limiter: test.limiter,
    times: { leaseMs: 15_000, claimTimeoutMs: 5_000, startTimeoutMs: 5_000 },
    claimer: { claim },
    claims: {
      claim: (work) => work(1),
      release: (claims) => Promise.resolve().then(() => test.release(claims)),
      defer: test.defer ?? (() => Promise.resolve()),
    },
    send: test.send,
    reserveSendTimes: test.reserveSendTimes ?? (() => Promise.resolve([])),
    results: {
      add: onEnded,
      get backlog() {
        return unrecorded();
      },
      recordingCapacity: Infinity,
    },
    log: {
      claimFailed: onInternalError,
      attemptFailed: onInternalError,
      releaseFailed: onInternalError,
    },
    ...(test.clock && { clock: test.clock }),
  });
}
