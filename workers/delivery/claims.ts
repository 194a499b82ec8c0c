import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim } from '../../src/domain/delivery/claim.js';
import { type Promoted, promoteDue } from '../../src/domain/delivery/promote.js';
import {
  type EndpointWait,
  deferClaim,
  releaseClaims,
  extendLeases,
  deleteLeases,
  releaseUnconfirmed,
  type ReleasedClaim,
} from '../../src/domain/delivery/leases.js';
import { type Polled, poll } from '../../src/domain/service/poll.js';
import { type RecordResult, recordBatch } from '../../src/domain/delivery/recording.js';
import { type Clock, processClock, delayUnlessStopped } from '../clock.js';
import { ResultWriter } from './results.js';
import type { Database } from '../../src/database/database.js';
import type { WorkerIdentity } from '../../src/domain/heartbeats.js';
import { claimToken } from '../../src/domain/delivery/claiming.js';

// What this process has claimed and neither recorded nor released.
//
// A claim takes pending deliveries under one lease (token, end). The manager extends leases once half of them is over, ends
// leases of dead workers with each poll, releases what is not attempted, and releases by token what a claim took whose answer
// was lost.
//
// Invariants: the process ends leases of others only while its own statements have succeeded for some seconds
// (DatabaseStability), because after an outage living workers must be able to extend theirs first. A lease row is deleted only
// when no pending delivery carries its token.
//
// A crash leaves leases, which the poll of another worker ends: the deliveries keep their place and count as interrupted.

interface ClaimManagerOptions {
  readonly store: ClaimStore;
  readonly times: LeaseTimes;
  /** Whether a statement that failed with `error` may have run, and may succeed when repeated. */
  readonly isUnavailable: (error: unknown) => boolean;
  readonly onRecorded: (ended: readonly EndedAttempt[], result: RecordResult) => void;
  readonly onRecordError: (error: unknown, attempts: number) => void;
  /** Called with attempts that were not recorded; workers send their deliveries again. */
  readonly onDropped: (ended: readonly EndedAttempt[]) => void;
  /** Called when extending leases or releasing claims failed; both are retried. */
  readonly onError: (error: unknown) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  readonly leases?: (clock: Clock) => Leases;
  readonly ambiguous?: (options: UnconfirmedClaimsOptions) => UnconfirmedClaims;
  readonly makeToken?: () => number;
}

const everyMs = 1_000;

/**
 * Everything that a process has claimed and neither recorded nor released. It extends the leases of these
 * claims, so other processes send them again only when this process dies or stalls for long.
 */
export class ClaimManager {
  readonly resultWriter: ResultWriter;
  readonly #options: ClaimManagerOptions;
  readonly #clock: Clock;
  readonly #leases: Leases;
  readonly #unconfirmed: UnconfirmedClaims;
  readonly #releases: ClaimReleases;
  readonly #stability: DatabaseStability;
  readonly #stopping = new AbortController();
  #isRetrying = false;

  constructor(options: ClaimManagerOptions) {
    const { store, times, isUnavailable, onError, clock = processClock, makeToken } = options;
    this.#options = options;
    this.#clock = clock;
    this.#leases = options.leases?.(clock) ?? new Leases(clock);

    const ambiguous =
      options.ambiguous ?? ((its: UnconfirmedClaimsOptions) => new UnconfirmedClaims(its));
    this.#unconfirmed = ambiguous({
      release: store.releaseAmbiguous,
      mayHaveClaimed: isUnavailable,
      leaseMs: times.leaseMs,
      clock,
      ...(makeToken && { makeToken }),
    });

    this.#releases = new ClaimReleases({ mayRecover: isUnavailable, onError });

    const { graceMs, startTimeoutMs: stallMs } = times;
    this.#stability = new DatabaseStability({ graceMs, stallMs: everyMs + stallMs, clock });

    this.resultWriter = new ResultWriter({
      recordResults: store.recordResults,
      mayRecover: isUnavailable,
      onRecorded: (ended, result) => {
        this.#leases.ended(ended.map(({ claim }) => claim));
        options.onRecorded(ended, result);
      },
      onError: options.onRecordError,
      onDropped: options.onDropped,
      clock,
    });

    void this.#run();
  }

  /** Runs `claim` with a token of its own. @throws what `claim` throws */
  async claim(claim: (token: number) => Promise<Claim[]>): Promise<Claim[]> {
    // Measured before the statement, because the lease begins while it runs.
    const until = this.#clock.now() + this.#options.times.leaseMs;
    const claims = await this.#unconfirmed.claim(claim);
    this.#leases.claimed(claims, until);
    return claims;
  }

  /** Lets the leases of these claims expire: this process never ends the claims. */
  leaveToExpire(claims: readonly Pick<Claim, 'token'>[]): void {
    this.#leases.claimed(claims, this.#clock.now() + this.#options.times.leaseMs);
  }

  /** Releases claims that were not attempted. */
  release(claims: readonly Claim[]): Promise<void> {
    return this.#releases.add(claims, async () => {
      await this.#options.store.release(claims);
      this.#leases.ended(claims);
    });
  }

  /**
   * Releases a claim whose attempt failed by an error of the service; it is due when its lease would end.
   * @param endpoint lets it wait longer, and with it what is ready at its endpoint
   */
  defer(claim: Claim, endpoint?: EndpointWait): Promise<void> {
    return this.#releases.add([claim], async () => {
      await this.#options.store.defer(claim, endpoint);
      this.#leases.ended([claim]);
    });
  }

  /** Releases ambiguous claims. @returns the number of pending deliveries */
  releaseAmbiguous(): Promise<number> {
    return this.#unconfirmed.release();
  }

  /** Deletes the leases of this process whose claims have all ended. */
  async deleteLeases(): Promise<void> {
    const finished = this.#leases.takeFinished();
    if (finished.length > 0) await this.#options.store.deleteLeases(finished);
  }

  /** Extends the leases of this process, then marks due pending deliveries ready. */
  async promote(): Promise<Promoted> {
    try {
      await this.extend();
      return await this.#promote(this.#options.store.promote);
    } catch (error) {
      this.#stability.failed();
      throw error;
    }
  }

  /** As {@link promote}, and says what waits. Its failure alone does not delay the end of leases. */
  async poll(): Promise<Polled> {
    await this.extend();
    return this.#promote(this.#options.store.poll);
  }

  /** Extends leases that are half over and have claims that are not recorded or released. */
  async extend(): Promise<void> {
    const { store, times } = this.#options;
    const ending = this.#leases.endingWithin(times.leaseMs / 2, this.#tokens());
    if (ending.length === 0) return;
    const until = this.#clock.now() + times.leaseMs;
    this.#leases.extended(await store.extend(ending, times.leaseMs), until);
  }

  /** Records ended attempts, as far as {@link ResultWriter.close} waits; then stops extending leases. */
  async close(): Promise<void> {
    await this.resultWriter.close();
    this.#stopping.abort();
  }

  /** Retries failed releases once. */
  async retryReleases(): Promise<void> {
    await Promise.all([this.#releases.retry(), this.releaseAmbiguous()]);
  }

  *#tokens(): Iterable<number> {
    yield* this.resultWriter.tokens();
    yield* this.#releases.tokens();
  }

  /** Sends a statement that ends leases. */
  async #promote<T extends Promoted>(send: (endedBy: number) => Promise<T>): Promise<T> {
    const sentAt = this.#clock.now();
    try {
      const promoted = await send(this.#stability.endedBy);
      this.#stability.answered(promoted.nowMs);
      return promoted;
    } finally {
      this.#stability.ended(sentAt);
    }
  }

  async #retry(): Promise<void> {
    this.#isRetrying = true;
    try {
      await this.#releases.retry();
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isRetrying = false;
    }
  }

  async #run(): Promise<void> {
    while (await delayUnlessStopped(everyMs, this.#stopping.signal, this.#clock)) {
      this.#stability.heartbeat();
      // Not awaited: it may wait for row locks, and leases expire meanwhile.
      if (!this.#isRetrying) void this.#retry();
      try {
        await this.extend();
      } catch (error) {
        this.#stability.failed();
        this.#options.onError(error);
      }
    }
  }
}

/** The statements and transactions of a `ClaimManager`. */
export interface ClaimStore {
  readonly recordResults: (ended: readonly EndedAttempt[]) => Promise<RecordResult>;
  /** @returns the tokens of the leases that still exist */
  readonly extend: (tokens: readonly number[], leaseMs: number) => Promise<readonly number[]>;
  readonly release: (claims: readonly Claim[]) => Promise<void>;
  readonly defer: (claim: Claim, endpoint?: EndpointWait) => Promise<void>;
  readonly releaseAmbiguous: (tokens: readonly number[]) => Promise<readonly ReleasedClaim[]>;
  readonly deleteLeases: (tokens: readonly number[]) => Promise<void>;
  /** @param endedBy keeps leases that ended later, in milliseconds since 1970 of PostgreSQL's clock */
  readonly promote: (endedBy: number) => Promise<Promoted>;
  /** @param endedBy as {@link ClaimStore.promote} has it */
  readonly poll: (endedBy: number) => Promise<Polled>;
}

/**
 * The statements of {@link ClaimStore} on PostgreSQL.
 * @param worker the process whose heartbeat a poll writes
 */
export function createClaimStore(
  { read, transact }: Pick<Database, 'read' | 'transact'>,
  worker?: WorkerIdentity,
): ClaimStore {
  return {
    recordResults: (ended) => recordBatch({ read, transact }, ended),
    extend: (tokens, leaseMs) => extendLeases(read, tokens, leaseMs),
    release: (claims) => releaseClaims(read, claims),
    defer: (claim, endpoint) => deferClaim(read, claim, endpoint),
    releaseAmbiguous: (tokens) => releaseUnconfirmed(read, tokens),
    deleteLeases: (tokens) => deleteLeases(read, tokens),
    promote: (endedBy) => promoteDue(read, endedBy, worker),
    poll: (endedBy) => poll(read, endedBy, worker),
  };
}

interface ClaimWithToken {
  readonly token: number;
}

interface ClaimReleasesOptions {
  /** Whether a release that failed with `error` may succeed when retried. */
  readonly mayRecover: (error: unknown) => boolean;
  /** Called when a release failed; it is retried if {@link mayRecover} says so. */
  readonly onError: (error: unknown) => void;
}

/**
 * Releases claims and retries until PostgreSQL accepts. A claim left to the end of its lease would count
 * as interrupted although no process died.
 */
export class ClaimReleases {
  readonly #options: ClaimReleasesOptions;
  readonly #pending = new Map<() => Promise<void>, readonly ClaimWithToken[]>();
  #retrying: Promise<void> | undefined;

  constructor(options: ClaimReleasesOptions) {
    this.#options = options;
  }

  /** Releases `claims` by `work`, now or in {@link retry}. @throws an error that no retry can recover */
  async add(claims: readonly ClaimWithToken[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#options.mayRecover(error)) throw error;
      this.#pending.set(work, claims);
      this.#options.onError(error);
    }
  }

  /**
   * Retries failed releases. A call during another one joins it, so that no claim is released twice.
   * @throws the first error; the next call retries the rest
   */
  retry(): Promise<void> {
    this.#retrying ??= this.#retry().finally(() => (this.#retrying = undefined));
    return this.#retrying;
  }

  /** The tokens of claims that are not released yet. */
  *tokens(): Iterable<number> {
    for (const claims of this.#pending.values()) for (const { token } of claims) yield token;
  }

  async #retry(): Promise<void> {
    for (const [work, claims] of this.#pending) {
      try {
        await work();
      } catch (error) {
        if (this.#options.mayRecover(error)) {
          // Moved to the end, so that one locked row does not delay the others.
          this.#pending.delete(work);
          this.#pending.set(work, claims);
          throw error;
        }
        this.#options.onError(error);
      }

      this.#pending.delete(work);
    }
  }
}

export interface UnconfirmedClaimsOptions {
  /** Releases everything claimed under these tokens. @returns the tokens that were found */
  readonly release: (tokens: readonly number[]) => Promise<readonly ReleasedClaim[]>;
  /** Whether a claim that failed with `error` may have run, or may still run. */
  readonly mayHaveClaimed: (error: unknown) => boolean;
  readonly leaseMs: number;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  /** Defaults to random tokens. */
  readonly makeToken?: () => number;
}

/** Tokens remembered, at most; beyond it, leases expire by themselves. */
const maxRemembered = 1_000;

/**
 * Claims whose result never arrived. The process sent nothing under them, so it releases them; otherwise
 * they would count as interrupted. It chooses the tokens itself, so it knows what to release.
 */
export class UnconfirmedClaims {
  readonly #options: UnconfirmedClaimsOptions;
  readonly #clock: Clock;
  /**
   * Token to when its lease is over, in milliseconds of the clock. Undefined until PostgreSQL has answered:
   * if it paused, it executes the claim when it continues, and the lease begins then.
   */
  readonly #unconfirmed = new Map<number, number | undefined>();

  constructor(options: UnconfirmedClaimsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Runs `claim` with a new token, and remembers it if the result is lost. @throws what `claim` throws */
  async claim<Claimed>(claim: (token: number) => Promise<Claimed>): Promise<Claimed> {
    const { mayHaveClaimed, makeToken = claimToken } = this.#options;
    const token = makeToken();
    try {
      return await claim(token);
    } catch (error) {
      if (mayHaveClaimed(error)) this.#remember(token);
      throw error;
    }
  }

  /**
   * Releases ambiguous claims. A statement may still run after its connection broke, so a token that was
   * not found is tried again for as long as a lease lasts.
   * @returns the number of pending deliveries released
   */
  async release(): Promise<number> {
    if (this.#unconfirmed.size === 0) return 0;

    const tokens = [...this.#unconfirmed.keys()];
    let released: readonly ReleasedClaim[];
    try {
      released = await this.#options.release(tokens);
    } catch (error) {
      if (this.#options.mayHaveClaimed(error)) this.#keep(tokens);
      // A retry cannot recover from this error, so expired tokens need no further release.
      else this.#dropExpired(tokens);
      throw error;
    }

    for (const { token } of released) this.#unconfirmed.delete(token);
    this.#dropExpired(tokens);

    return released.reduce((sum, { pendingDeliveries }) => sum + pendingDeliveries, 0);
  }

  /** PostgreSQL did not answer. */
  #keep(tokens: readonly number[]): void {
    for (const token of tokens) {
      if (this.#unconfirmed.has(token)) this.#unconfirmed.set(token, undefined);
    }
  }

  /** PostgreSQL answered. Those of `tokens` that are still here were not released. */
  #dropExpired(tokens: readonly number[]): void {
    const now = this.#clock.now();
    for (const token of tokens) {
      if (!this.#unconfirmed.has(token)) continue;
      const until = this.#unconfirmed.get(token) ?? now + this.#options.leaseMs;
      if (until <= now) this.#unconfirmed.delete(token);
      else this.#unconfirmed.set(token, until);
    }
  }

  #remember(token: number): void {
    // The first claims to fail were running when the connection broke; later ones hardly reached the server.
    if (this.#unconfirmed.size >= maxRemembered) return;
    this.#unconfirmed.set(token, undefined);
  }
}

interface Lease {
  /** Number of claims that have not ended. */
  open: number;
  until: number;
}

type LeasedClaim = Pick<Claim, 'token'>;

/**
 * The leases of this process. A lease is finished when all claims under it are recorded or released. A
 * claim that never ends keeps its lease, which a poll ends after it expires.
 */
export class Leases {
  readonly #clock: Clock;
  readonly #leases = new Map<number, Lease>();
  #finished: number[] = [];

  constructor(clock: Clock = processClock) {
    this.#clock = clock;
  }

  /** @param until when the leases end, in milliseconds of the clock; they are forgotten here then */
  claimed(claims: readonly LeasedClaim[], until: number): void {
    for (const { token } of claims) {
      const lease = this.#leases.get(token);
      if (lease) lease.open += 1;
      else this.#leases.set(token, { open: 1, until });
    }
  }

  /** The tokens whose leases end within `ms` milliseconds, or are forgotten here. */
  endingWithin(ms: number, tokens: Iterable<number>): readonly number[] {
    const latest = this.#clock.now() + ms;
    const ending = new Set<number>();
    for (const token of tokens) {
      if ((this.#leases.get(token)?.until ?? -Infinity) <= latest) ending.add(token);
    }
    return [...ending];
  }

  /** Notes the new end of these leases. */
  extended(tokens: readonly number[], until: number): void {
    for (const token of tokens) {
      const lease = this.#leases.get(token);
      if (lease) lease.until = until;
    }
  }

  /** Notes that these claims are recorded or released; call it once for each claim. */
  ended(claims: readonly LeasedClaim[]): void {
    for (const { token } of claims) {
      const lease = this.#leases.get(token);
      if (!lease) continue;
      lease.open -= 1;
      if (lease.open > 0) continue;
      this.#leases.delete(token);
      this.#finished.push(token);
    }
  }

  /** The tokens of leases finished since the last call. */
  takeFinished(): readonly number[] {
    const now = this.#clock.now();
    for (const [token, { until }] of this.#leases) {
      if (until <= now) this.#leases.delete(token);
    }
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }
}

/**
 * Milliseconds, at least, by which a lease outlasts one attempt: time to record the result, and to retry
 * that. With a longer attempt timeout the margin is that timeout, so a shorter timeout also makes a crash
 * cost less.
 */
const minMarginMs = 4_000;

/** Milliseconds, at most, to reconnect and repeat a statement after PostgreSQL comes back. */
const maxGraceMs = 10_000;

/** The times of a claim, in milliseconds. */
export interface LeaseTimes {
  readonly leaseMs: number;
  /** Claims that took longer to come back are released: the process may have stalled. */
  readonly claimTimeoutMs: number;
  /** An attempt starts within this time after its claim came back, or its claim is released. */
  readonly startTimeoutMs: number;
  /** PostgreSQL must answer for this long before expired leases are ended: time to extend them first. */
  readonly graceMs: number;
}

/**
 * The times of a claim whose attempt may take `timeoutMs` milliseconds. The margin has three equal parts:
 * until the claim is back, until the attempt starts, and for recording its result.
 */
export function leaseTimes(timeoutMs: number): LeaseTimes {
  const marginMs = Math.max(timeoutMs, minMarginMs);
  const thirdMs = marginMs / 3;
  return {
    leaseMs: timeoutMs + marginMs,
    claimTimeoutMs: thirdMs,
    startTimeoutMs: thirdMs,
    graceMs: Math.min(marginMs, maxGraceMs),
  };
}

/** Durations in milliseconds. */
interface DatabaseStabilityOptions {
  /** Once PostgreSQL has answered for this long, every live process has reached it. */
  readonly graceMs: number;
  /** A process without a heartbeat for longer than this has stalled; so has a PostgreSQL without an answer. */
  readonly stallMs: number;
  readonly clock: Clock;
}

/**
 * Says which leases this process may end. A lease that ended belongs to a dead process, unless living
 * processes had no chance to extend theirs: PostgreSQL was away, or it paused.
 *
 * - When PostgreSQL comes back, living processes need time to extend their leases. Until it has answered
 *   for a while, no lease may be ended.
 * - A poll may wait in its connection while PostgreSQL pauses, and run when it continues. So a poll ends
 *   only leases that had ended before it was sent: by PostgreSQL's clock, when it last answered.
 */
export class DatabaseStability {
  readonly #options: DatabaseStabilityOptions;
  /** Since when PostgreSQL has answered without a failure; undefined before its first answer. */
  #since: number | undefined;
  #lastHeartbeatAt: number;
  /** PostgreSQL's time at its latest answer. */
  #answeredMs = -Infinity;

  constructor(options: DatabaseStabilityOptions) {
    this.#options = options;
    this.#lastHeartbeatAt = options.clock.now();
  }

  /**
   * The latest end of a lease that a poll sent now may end, in milliseconds since 1970 of PostgreSQL's
   * clock. -Infinity for none.
   */
  get endedBy(): number {
    this.heartbeat();
    const { graceMs, clock } = this.#options;
    const isStable = this.#since !== undefined && clock.now() - this.#since >= graceMs;
    return isStable ? this.#answeredMs : -Infinity;
  }

  /** Call it about once a second: the process has not stalled. */
  heartbeat(): void {
    const now = this.#options.clock.now();
    if (now - this.#lastHeartbeatAt > this.#options.stallMs) this.failed();
    this.#lastHeartbeatAt = now;
  }

  /**
   * PostgreSQL answered a poll.
   * @param databaseMs its time then, in milliseconds since 1970
   */
  answered(databaseMs: number): void {
    this.#answeredMs = databaseMs;
    this.#since ??= this.#options.clock.now();
  }

  /** A poll that was sent at `sentAt` has ended, with an answer or without. */
  ended(sentAt: number): void {
    if (this.#options.clock.now() - sentAt > this.#options.stallMs) this.failed();
  }

  /** PostgreSQL did not answer, or refused a statement. */
  failed(): void {
    this.#since = undefined;
  }
}
