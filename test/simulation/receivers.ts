import type { Attempt, Outcome } from '../../src/domain/delivery/outcome.js';
import type { Claim } from '../../src/domain/delivery/claim.js';
import type { Random } from '../../tools/seed/random.js';
import { maxRetryAfterMs, type Scenario, type ReceiverProfile } from './scenario.js';
import type { Counters } from './counters.js';
import type { Runner, VirtualTime } from './virtual-time.js';
import type { InvariantChecker } from './invariant-checker.js';

/** What a receiver does with one request. */
interface ReceiverResponse {
  readonly afterMs: number;
  readonly outcome: Outcome;
}

const timeout: Outcome = { kind: 'unreachable', reason: 'timeout' };

function drawResponse(
  random: Random,
  profile: ReceiverProfile,
  scenario: Scenario,
): ReceiverResponse {
  const { ok, rejects, postpones, gone, resets, hangs } = profile;
  const afterMs = 1 + 30 * random.next();
  let left = random.next() * (ok + rejects + postpones + gone + resets + hangs);
  const falls = (weight: number) => (left -= weight) < 0;
  if (falls(rejects)) {
    const status = random.pick([301, 400, 404, 500, 502]);
    return { afterMs, outcome: { kind: 'rejected', status } };
  }

  if (falls(postpones)) {
    const retryAfter = { delayMs: random.pick([0, 500, 3_000, maxRetryAfterMs]) };
    const status = random.pick([429, 503]);
    return { afterMs, outcome: { kind: 'rejected', status, retryAfter } };
  }

  if (falls(gone)) return { afterMs, outcome: { kind: 'rejected', status: 410 } };

  if (falls(resets)) {
    return { afterMs, outcome: { kind: 'unreachable', reason: 'connection_reset' } };
  }

  if (falls(hangs)) return { afterMs: scenario.timeoutMs, outcome: timeout };

  return { afterMs, outcome: { kind: 'accepted', status: 200 } };
}

/** What {@link Receivers} work with. */
export interface ReceiversOptions {
  readonly scenario: Scenario;
  readonly time: VirtualTime;
  readonly random: Random;
  readonly invariants: InvariantChecker;
  readonly counters: Counters;
}

/** All receivers, and the network in between. */
export class Receivers {
  readonly #options: ReceiversOptions;
  readonly #profiles = new Map<string, ReceiverProfile>();
  readonly #accepted = new Set<string>();

  constructor(options: ReceiversOptions) {
    this.#options = options;
  }

  /** Makes this endpoint respond. */
  add(endpointId: string, profile: ReceiverProfile): void {
    this.#profiles.set(endpointId, profile);
  }

  /** Makes all receivers respond fast from now on, though not always with success. */
  recover(): void {
    for (const [id, profile] of this.#profiles) this.#profiles.set(id, recovered(profile));
  }

  /** One request of a process, which gets the response if it lives. @throws Error when `signal` aborts */
  post(
    runner: Runner,
    { pendingDeliveryId, endpointId }: Claim,
    deliveryId: string,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const { scenario, time, random, invariants, counters } = this.#options;
    const profile = this.#profiles.get(endpointId);
    if (!profile) throw new Error(`no receiver at ${endpointId}`);

    const { afterMs, outcome } = drawResponse(random, profile, scenario);
    counters.requests += 1;
    if (this.#accepted.has(pendingDeliveryId)) counters.duplicates += 1;
    if (outcome.kind === 'accepted') this.#accepted.add(pendingDeliveryId);

    const begun = time.now;
    return new Promise((resolve, reject) => {
      const answer = () => {
        invariants.responded(deliveryId, outcome);
        resolve({ outcome, durationMs: time.now - begun });
      };
      const cancelTimer = time.after(afterMs, answer, runner);
      signal.addEventListener('abort', () => {
        cancelTimer();
        reject(new Error('broken off'));
      });
    });
  }
}

function recovered({ ok, rejects }: ReceiverProfile): ReceiverProfile {
  const fails = rejects > ok;
  return { ok: fails ? 0 : 1, rejects: fails ? 1 : 0, postpones: 0, gone: 0, resets: 0, hangs: 0 };
}
