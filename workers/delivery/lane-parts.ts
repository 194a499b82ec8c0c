import type { Capacity, Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { Clock } from '../process/clock.js';
import type { AttemptLog } from './attempt-log.js';
import type { ClaimManager } from './claim-manager.js';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { LeaseTimes } from './lease-times.js';
import type { ResultWriter } from './result-writer.js';
import type { SendAttempt } from './send-attempt.js';
import type { SendTimesOptions } from './send-times.js';
import type { WarmStart } from './warm-start.js';

/** The parts of one lane; tests and the simulation replace those that reach outside the process. */
export interface LaneParts {
  readonly lane: Lane;
  readonly limiter: ConcurrencyLimiter;
  readonly times: Omit<LeaseTimes, 'graceMs'>;
  /** Claims ready pending deliveries under `token`. */
  readonly claimer: { claim(capacity: Capacity, token: number): Promise<Claim[]> };
  readonly claims: Pick<ClaimManager, 'claim' | 'release' | 'defer'>;
  readonly send: SendAttempt;
  readonly reserveSendTimes: SendTimesOptions['reserve'];
  readonly results: Pick<ResultWriter, 'add' | 'backlog' | 'recordingCapacity'>;
  readonly log: Pick<AttemptLog, 'claimFailed' | 'attemptFailed' | 'releaseFailed'>;
  /** Defaults to none: endpoints earn their slots again. */
  readonly warmStart?: Pick<WarmStart, 'claimed'>;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  /** At least 0, below 1. Defaults to Math.random. */
  readonly random?: () => number;
}
