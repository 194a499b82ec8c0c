import type { Attempt, Outcome } from '../../src/domain/delivery/outcome.js';
import type { Claim } from '../../src/domain/delivery/claim.js';
import type { Chance } from '../../src/seed/chance.js';
import { longestPostponementMs, type Plan, type Temper } from './plan.js';
import type { Tally } from './tally.js';
import type { Runner, VirtualTime } from './virtual-time.js';
import type { Witness } from './witness.js';

/** What a receiver does with one request. */
interface Reaction {
  readonly afterMs: number;
  readonly outcome: Outcome;
}

const timeout: Outcome = { kind: 'unreachable', reason: 'timeout' };

function reactionOf(chance: Chance, temper: Temper, plan: Plan): Reaction {
  const { ok, rejects, postpones, gone, resets, hangs } = temper;
  const afterMs = 1 + 30 * chance.next();
  let left = chance.next() * (ok + rejects + postpones + gone + resets + hangs);
  const falls = (weight: number) => (left -= weight) < 0;
  if (falls(rejects)) {
    const status = chance.oneOf([301, 400, 404, 500, 502]);
    return { afterMs, outcome: { kind: 'rejected', status } };
  }
  if (falls(postpones)) {
    const retryAfter = { delayMs: chance.oneOf([0, 500, 3_000, longestPostponementMs]) };
    const status = chance.oneOf([429, 503]);
    return { afterMs, outcome: { kind: 'rejected', status, retryAfter } };
  }
  if (falls(gone)) return { afterMs, outcome: { kind: 'rejected', status: 410 } };
  if (falls(resets)) {
    return { afterMs, outcome: { kind: 'unreachable', reason: 'connection_reset' } };
  }
  if (falls(hangs)) return { afterMs: plan.timeoutMs, outcome: timeout };
  return { afterMs, outcome: { kind: 'accepted', status: 200 } };
}

/** What {@link Receivers} work with. */
export interface ReceiversOptions {
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly witness: Witness;
  readonly tally: Tally;
}

/** Everybody who is sent to, and the network in between. */
export class Receivers {
  readonly #options: ReceiversOptions;
  readonly #tempers = new Map<string, Temper>();
  readonly #accepted = new Set<string>();

  constructor(options: ReceiversOptions) {
    this.#options = options;
  }

  /** Somebody answers at this endpoint. */
  add(endpointId: string, temper: Temper): void {
    this.#tempers.set(endpointId, temper);
  }

  /** Everybody answers fast from here on, though not always well. */
  calm(): void {
    for (const [id, temper] of this.#tempers) this.#tempers.set(id, calmed(temper));
  }

  /** One request of a process; it hears of the answer if it lives. @throws Error when `signal` aborts */
  post(
    runner: Runner,
    { chainId, endpointId }: Claim,
    deliveryId: string,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const { plan, time, chance, witness, tally } = this.#options;
    const temper = this.#tempers.get(endpointId);
    if (!temper) throw new Error(`nobody answers at ${endpointId}`);
    const { afterMs, outcome } = reactionOf(chance, temper, plan);
    tally.requests += 1;
    if (this.#accepted.has(chainId)) tally.duplicates += 1;
    if (outcome.kind === 'accepted') this.#accepted.add(chainId);
    const begun = time.now;
    return new Promise((resolve, reject) => {
      const answer = () => {
        witness.answered(deliveryId, outcome);
        resolve({ outcome, durationMs: time.now - begun });
      };
      const callOff = time.after(afterMs, answer, runner);
      signal.addEventListener('abort', () => {
        callOff();
        reject(new Error('broken off'));
      });
    });
  }
}

function calmed({ ok, rejects }: Temper): Temper {
  const fails = rejects > ok;
  return { ok: fails ? 0 : 1, rejects: fails ? 1 : 0, postpones: 0, gone: 0, resets: 0, hangs: 0 };
}
