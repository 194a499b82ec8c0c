import type { AttemptResult } from '../../src/domain/delivery/attempt-result.js';
import type { RetryPolicy } from '../../src/domain/rules.js';
import { invariant } from './invariant.js';

/** Each endpoint's unbroken run of failures, reckoned a second time beside the service (H69–H71). */
export class FailureRuns {
  readonly #policy: RetryPolicy;
  readonly #runs = new Map<string, { since: number; count: number }>();

  constructor(policy: RetryPolicy) {
    this.#policy = policy;
  }

  /** The run of this endpoint is over. */
  reset(endpointId: string): void {
    this.#runs.delete(endpointId);
  }

  /**
   * Goes on with what one transaction settled; endpoints that were off before it have no run.
   * @throws BrokenPromise when another endpoint was disabled than should be
   */
  checkDisabling(
    recorded: readonly AttemptResult[],
    disabled: readonly string[],
    wasLive: (endpointId: string) => boolean,
    urlOf: (endpointId: string) => string,
  ): void {
    const endpointIds = new Set(recorded.map(({ ended }) => ended.claim.endpointId));
    for (const id of endpointIds) {
      const evidence = recorded
        .filter(({ ended: { claim } }) => claim.endpointId === id && !claim.test)
        .filter(({ ended: { claim } }) => claim.url === urlOf(id))
        .map(({ ended: { outcome, startedAt, durationMs } }) => ({
          outcome,
          endedAt: startedAt.getTime() + Math.round(durationMs),
        }))
        .sort((one, other) => one.endedAt - other.endedAt);

      const ends = wasLive(id) && evidence.some((each) => this.#ends(id, each));
      invariant(ends === disabled.includes(id), `${id} was ${ends ? 'not ' : ''}disabled`);
    }
  }

  #ends(
    id: string,
    { outcome, endedAt }: { outcome: AttemptResult['ended']['outcome']; endedAt: number },
  ): boolean {
    if (outcome.kind === 'accepted') {
      this.#runs.delete(id);
      return false;
    }
    const run = this.#runs.get(id) ?? { since: endedAt, count: 0 };
    run.count += 1;
    this.#runs.set(id, run);
    const { disableAfterFailures, disableAfterMs } = this.#policy;
    const tooLong = run.count >= disableAfterFailures && endedAt - run.since >= disableAfterMs;
    return tooLong || (outcome.kind === 'rejected' && outcome.status === 410);
  }
}
