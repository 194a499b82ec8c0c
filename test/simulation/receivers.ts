import type { Attempt, Outcome } from '../../src/domain/delivery/outcome.js';
import type { Chance } from './chance.js';
import { longestPostponementMs, type Plan, type Temper } from './plan.js';

/** What a receiver does with one request; without an answer the sender's deadline decides. */
export interface Reaction {
  readonly afterMs: number;
  readonly outcome: Outcome;
}

const timeout: Outcome = { kind: 'unreachable', reason: 'timeout' };

/** Draws what a receiver does, before anything of a request is known. */
export function reactionOf(chance: Chance, temper: Temper, plan: Plan): Reaction {
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

/** What becomes of a receiver when misfortunes end: it answers fast, though not always well. */
export function calm({ ok, rejects }: Temper): Temper {
  const fails = rejects > ok;
  return { ok: fails ? 0 : 1, rejects: fails ? 1 : 0, postpones: 0, gone: 0, resets: 0, hangs: 0 };
}

/** The attempt as its sender sees it. */
export function attemptOf(outcome: Outcome, durationMs: number): Attempt {
  return { outcome, durationMs };
}
