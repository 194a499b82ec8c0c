import type { RetryPolicy } from '../../src/domain/transaction/rules.js';
import type { Random } from '../../tools/seed/random.js';

/** The weights of a receiver's answers; an answer without a weight does not happen. */
export interface ReceiverProfile {
  readonly ok: number;
  readonly rejects: number;
  readonly postpones: number;
  readonly gone: number;
  readonly resets: number;
  readonly hangs: number;
}

/** Probabilities of faults. Each seed leaves some of them out, so that others show. */
export interface FaultRates {
  readonly wakeupLost: number;
  readonly wakeupLate: number;
  readonly wakeupTwice: number;
  /** A statement does not reach the database. */
  readonly databaseAway: number;
  /** A statement is carried out, and its answer gets lost. */
  readonly responseLost: number;
  /** The connection breaks at a claim, before it is carried out or after. */
  readonly claimUnanswered: number;
  /** A process dies at each named point of an attempt. */
  readonly crash: number;
  /** A process stands still when it makes its next step. */
  readonly stall: number;
  /** A process is stopped, per second. */
  readonly stop: number;
  /** Clients change endpoints or replay, per second. */
  readonly operate: number;
}

/**
 * What the database refuses for a while: records, each row permanently, or all statements. Or it pauses:
 * statements wait, and run when it continues.
 */
export interface Refusal {
  readonly what: 'records' | 'rows' | 'everything' | 'paused';
  readonly from: number;
  readonly until: number;
}

/** Everything that is fixed before a seed begins; times in milliseconds. */
export interface Scenario {
  readonly policy: RetryPolicy;
  readonly timeoutMs: number;
  readonly workers: number;
  readonly slots: number;
  readonly perEndpoint: number;
  /** Attempts at an endpoint that has answered none yet. */
  readonly initial: number;
  /** Attempts at one host of an account. */
  readonly perHost: number;
  /** Slots of an account's endpoints that do not answer promptly. */
  readonly perAccount: number;
  /** Slots that are reserved for accounts that hold none. */
  readonly reserved: number;
  readonly endpoints: readonly ReceiverProfile[];
  readonly events: number;
  /** The most that a change of an endpoint cancels; the rest goes to the backlog. */
  readonly cancelAtOnce: number;
  /** Events are published from the beginning until then. */
  readonly publishingMs: number;
  /** Faults and publishing end then. */
  readonly faultsEndAt: number;
  readonly faultRates: FaultRates;
  /** Sending the first event ends the process until an operator fixes it; there is no other fault. */
  readonly hasPoison: boolean;
  /** The only fault is that answers of claims are lost: no delivery is interrupted. */
  readonly losesClaimResponses: boolean;
  /** What the database refuses, longer than leases last. */
  readonly refusal: Refusal | undefined;
  /** The only fault is {@link refusal}: no delivery is interrupted or sent again. */
  readonly databaseRefuses: boolean;
  /** Nothing goes wrong and there is room for everything: nothing may be late either. */
  readonly faultless: boolean;
  /** How many of the endpoints, from the first, get the events of a subject one at a time. */
  readonly orderedEndpoints: number;
}

/** Rates at which nothing goes wrong. */
export const noFaults: FaultRates = {
  wakeupLost: 0,
  wakeupLate: 0,
  wakeupTwice: 0,
  databaseAway: 0,
  responseLost: 0,
  claimUnanswered: 0,
  crash: 0,
  stall: 0,
  stop: 0,
  operate: 0,
};

/** The longest that a process stalls: longer than any lease here. */
export const maxStallMs = 9_000;
/** A statement whose connection broke goes on no longer: the shortest lease is longer. */
export const maxLingerMs = 3_000;
/** The longest that a process waits for an answer of a paused database. */
export const maxAnswerMs = 6_000;
/** The longest postponement that receivers ask for here. */
export const maxRetryAfterMs = 8_000;

/** The event types of the simulation. */
export const eventTypes: readonly string[] = ['cart.order.completed', 'invoice.issued'];

/** The subjects of events. */
export const subjects: readonly string[] = ['cart:1', 'cart:2'];
/** The longest that the transaction of a publish takes to commit. */
export const maxCommitMs = 400;

/** Draws the plan of a seed. */
export function drawScenario(random: Random): Scenario {
  const faultless = random.boolean(1 / 16);
  const hasPoison = !faultless && random.boolean(1 / 40);
  const losesClaimResponses = !faultless && !hasPoison && random.boolean(1 / 20);
  const databaseRefuses =
    !faultless && !hasPoison && !losesClaimResponses && random.boolean(1 / 12);
  const maybe = (probability: number) =>
    faultless || hasPoison || losesClaimResponses || databaseRefuses || random.boolean(0.5)
      ? 0
      : probability * random.next();

  const faultRates: FaultRates = {
    wakeupLost: maybe(0.9),
    wakeupLate: maybe(0.5),
    wakeupTwice: maybe(0.5),
    databaseAway: maybe(0.2),
    responseLost: maybe(0.2),
    claimUnanswered: losesClaimResponses ? 0.5 : maybe(0.1),
    crash: maybe(0.05),
    stall: maybe(0.08),
    stop: maybe(0.3),
    operate: maybe(0.8),
  };

  const refuses =
    databaseRefuses || (!faultless && !hasPoison && !losesClaimResponses && random.boolean(1 / 20));
  const refusal = refuses ? refusalOf(random) : undefined;
  const faultsEndAt = random.integer(4_000, 10_000) + (refusal?.until ?? 0);

  // A database that is away takes no events. So attempts are under way when it goes.
  const isAway = refusal?.what === 'everything' || refusal?.what === 'paused';
  const publishedBy = isAway ? refusal.from + 500 : faultsEndAt;
  const isBurst = random.boolean(1 / 20);

  // Many fast attempts make a process claim ahead of its slots.
  const slots = faultless ? 100 : isBurst ? 8 : random.integer(2, 8);
  const perEndpoint = faultless || isBurst ? slots : random.integer(1, slots);
  return {
    policy: {
      delaysMs: Array.from({ length: random.integer(1, 4) }, () =>
        random.pick([200, 1_000, 2_500, 4_000]),
      ),
      otherDelaysMs: new Map(),
      jitter: random.pick([0, 0.1, 0.3]),
      disableAfterMs: random.pick([0, 3_000, 8_000]),
      disableAfterFailures: random.integer(3, 8),
    },
    timeoutMs: random.pick([500, 1_000, 3_000]),
    workers: random.integer(1, 3),
    slots,
    perEndpoint,
    initial: faultless || isBurst ? perEndpoint : random.integer(1, perEndpoint),
    perHost: faultless || isBurst ? slots : random.integer(1, slots),
    perAccount: faultless || isBurst ? slots : random.integer(1, slots),
    reserved: faultless || isBurst ? 0 : random.integer(0, slots - 1),
    endpoints: Array.from({ length: random.integer(1, 3) }, () => drawProfile(random, faultless)),
    cancelAtOnce: random.integer(1, 3),
    events: isBurst ? random.integer(20, 40) : random.integer(2, 9),
    publishingMs: isBurst ? 30 : publishedBy,
    faultsEndAt,
    faultRates,
    faultless,
    hasPoison,
    losesClaimResponses,
    refusal,
    databaseRefuses,
    orderedEndpoints: random.boolean(0.3) ? random.integer(1, 3) : 0,
  };
}

function refusalOf(random: Random): Refusal {
  const begins = random.integer(0, 3_000);
  const what = random.pick(['records', 'rows', 'everything', 'paused'] as const);
  // Before the pause, processes must have had time to begin to end leases.
  const from = what === 'paused' ? begins + 5_000 : begins;
  return { what, from, until: from + random.integer(1_000, 25_000) };
}

function drawProfile(random: Random, faultless: boolean): ReceiverProfile {
  const weight = () => (random.boolean(0.5) ? random.integer(0, 5) : 0);
  const healthy = { ok: 10, rejects: 0, postpones: 0, gone: 0, resets: 0, hangs: 0 };
  if (faultless) return { ...healthy, rejects: random.pick([0, 3]) };
  if (random.boolean(0.3)) return healthy;
  return {
    ok: weight(),
    rejects: weight(),
    postpones: weight(),
    gone: random.boolean(0.1) ? 1 : 0,
    resets: weight(),
    hangs: weight(),
  };
}
