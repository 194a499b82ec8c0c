import type { RetryPolicy } from '../../src/domain/rules.js';
import type { Chance } from '../../src/seed/chance.js';

/** How a receiver answers, as weights; what has none does not happen. */
export interface Temper {
  readonly ok: number;
  readonly rejects: number;
  readonly postpones: number;
  readonly gone: number;
  readonly resets: number;
  readonly hangs: number;
}

/** Probabilities of misfortunes; each seed leaves some of them out, so that others get room. */
export interface Misfortunes {
  readonly wakeupLost: number;
  readonly wakeupLate: number;
  readonly wakeupTwice: number;
  /** A statement does not reach the database. */
  readonly databaseAway: number;
  /** A statement is carried out, and its answer gets lost. */
  readonly answerLost: number;
  /** The connection breaks at a claim, before it is carried out or after. */
  readonly claimUnheard: number;
  /** A process dies at each named point of an attempt. */
  readonly crash: number;
  /** A process stands still when it makes its next step. */
  readonly stall: number;
  /** A second passes with a process being stopped. */
  readonly stop: number;
  /** A second passes with somebody changing an endpoint or replaying. */
  readonly operate: number;
}

/** What the database refuses for a while: records, each row for good, or whatever it is asked. */
export interface Refusal {
  readonly what: 'records' | 'rows' | 'everything';
  readonly from: number;
  readonly until: number;
}

/** Everything that is fixed before a seed begins; times in milliseconds. */
export interface Plan {
  readonly policy: RetryPolicy;
  readonly timeoutMs: number;
  readonly workers: number;
  readonly slots: number;
  readonly perEndpoint: number;
  /** Attempts at an endpoint that has answered none yet. */
  readonly first: number;
  /** Slots of an account's endpoints that do not answer promptly. */
  readonly perAccount: number;
  /** Slots that only accounts get which hold none. */
  readonly kept: number;
  readonly endpoints: readonly Temper[];
  readonly events: number;
  /** Chains that a change of an endpoint cancels at most; the rest is owed. */
  readonly cancelAtOnce: number;
  /** Events are published from the beginning until then. */
  readonly publishingMs: number;
  /** Misfortunes and publishing end then. */
  readonly calmFrom: number;
  readonly misfortunes: Misfortunes;
  /** Sending the first event ends the process, until somebody mends it; nothing else goes wrong. */
  readonly poisonous: boolean;
  /** Claims are not heard of, and nothing else goes wrong: nobody is interrupted. */
  readonly deaf: boolean;
  /** What the database refuses, longer than leases last. */
  readonly refusal: Refusal | undefined;
  /** Nothing else goes wrong than {@link refusal}: nobody is interrupted, and nothing is sent again. */
  readonly refusing: boolean;
  /** Nothing goes wrong and there is room for everything: nothing may be late either. */
  readonly quiet: boolean;
}

/** Nothing goes wrong. */
export const noMisfortunes: Misfortunes = {
  ...{ wakeupLost: 0, wakeupLate: 0, wakeupTwice: 0, databaseAway: 0, answerLost: 0 },
  claimUnheard: 0,
  ...{ crash: 0, stall: 0, stop: 0, operate: 0 },
};

/** The longest that a process stands still: longer than any lease here. */
export const longestStallMs = 9_000;
/** A statement whose connection broke goes on no longer: the shortest lease is longer. */
export const longestLingerMs = 3_000;
/** The longest postponement that receivers ask for here. */
export const longestPostponementMs = 8_000;

/** The event types of the simulation. */
export const eventTypes: readonly string[] = ['cart.order.completed', 'invoice.issued'];

/** Draws the plan of a seed. */
export function planOf(chance: Chance): Plan {
  const quiet = chance.happens(1 / 16);
  const poisonous = !quiet && chance.happens(1 / 40);
  const deaf = !quiet && !poisonous && chance.happens(1 / 20);
  const refusing = !quiet && !poisonous && !deaf && chance.happens(1 / 12);
  const sometimes = (probability: number) =>
    quiet || poisonous || deaf || refusing || chance.happens(0.5) ? 0 : probability * chance.next();
  const misfortunes: Misfortunes = {
    wakeupLost: sometimes(0.9),
    wakeupLate: sometimes(0.5),
    wakeupTwice: sometimes(0.5),
    databaseAway: sometimes(0.2),
    answerLost: sometimes(0.2),
    claimUnheard: deaf ? 0.5 : sometimes(0.1),
    crash: sometimes(0.05),
    stall: sometimes(0.08),
    stop: sometimes(0.3),
    operate: sometimes(0.8),
  };
  const refuses = refusing || (!quiet && !poisonous && !deaf && chance.happens(1 / 20));
  const refusal = refuses ? refusalOf(chance) : undefined;
  const calmFrom = chance.whole(4_000, 10_000) + (refusal?.until ?? 0);
  const isBurst = chance.happens(1 / 20);
  // Many fast attempts make a process claim ahead of its slots.
  const slots = quiet ? 100 : isBurst ? 8 : chance.whole(2, 8);
  const perEndpoint = quiet || isBurst ? slots : chance.whole(1, slots);
  return {
    policy: {
      delaysMs: Array.from({ length: chance.whole(1, 4) }, () =>
        chance.oneOf([200, 1_000, 2_500, 4_000]),
      ),
      jitter: chance.oneOf([0, 0.1, 0.3]),
      disableAfterMs: chance.oneOf([0, 3_000, 8_000]),
      disableAfterFailures: chance.whole(3, 8),
    },
    timeoutMs: chance.oneOf([500, 1_000, 3_000]),
    workers: chance.whole(1, 3),
    slots,
    perEndpoint,
    first: quiet || isBurst ? perEndpoint : chance.whole(1, perEndpoint),
    perAccount: quiet || isBurst ? slots : chance.whole(1, slots),
    kept: quiet || isBurst ? 0 : chance.whole(0, slots - 1),
    endpoints: Array.from({ length: chance.whole(1, 3) }, () => temperOf(chance, quiet)),
    cancelAtOnce: chance.whole(1, 3),
    events: isBurst ? chance.whole(20, 40) : chance.whole(2, 9),
    publishingMs: isBurst ? 30 : calmFrom,
    calmFrom,
    misfortunes,
    quiet,
    poisonous,
    deaf,
    refusal,
    refusing,
  };
}

function refusalOf(chance: Chance): Refusal {
  const from = chance.whole(0, 3_000);
  const what = chance.oneOf(['records', 'rows', 'everything'] as const);
  return { what, from, until: from + chance.whole(1_000, 25_000) };
}

function temperOf(chance: Chance, quiet: boolean): Temper {
  const weight = () => (chance.happens(0.5) ? chance.whole(0, 5) : 0);
  const healthy = { ok: 10, rejects: 0, postpones: 0, gone: 0, resets: 0, hangs: 0 };
  if (quiet) return { ...healthy, rejects: chance.oneOf([0, 3]) };
  if (chance.happens(0.3)) return healthy;
  return {
    ok: weight(),
    rejects: weight(),
    postpones: weight(),
    gone: chance.happens(0.1) ? 1 : 0,
    resets: weight(),
    hangs: weight(),
  };
}
