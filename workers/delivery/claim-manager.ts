// Keeps the claims of this process: those that are neither recorded nor released yet.
//
// A claim takes pending deliveries under one lease (token, end). The manager has three parts:
// - ClaimReleases releases claims that are not attempted, and retries until PostgreSQL accepts.
// - UnconfirmedClaims releases by token what a claim took whose answer was lost.
// - Leases knows which leases this process still needs; the manager extends them once half of their time is
//   over.
// With each poll the manager also ends the expired leases of dead workers.
//
// Invariants: the process ends leases of others only while its own statements have succeeded for some seconds
// (lease-times.ts), because after an outage living workers must be able to extend theirs first. A lease row is
// deleted only when no pending delivery carries its token.
//
// A crash leaves leases, which the poll of another worker ends: the deliveries keep their place and count as
// interrupted.
import type { Database } from '../../src/database/database.js';
import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim } from '../../src/domain/delivery/claim.js';
import { claimToken } from '../../src/domain/delivery/claim-deliveries.js';
import {
  deferClaim,
  deleteLeases,
  type EndpointWait,
  extendLeases,
  releaseClaims,
  type ReleasedClaim,
  releaseUnconfirmed,
} from '../../src/domain/delivery/leases.js';
import { type Promoted, promoteDue } from '../../src/domain/delivery/promote.js';
import { recordBatch, type RecordResult } from '../../src/domain/delivery/recording.js';
import type { WorkerIdentity } from '../../src/domain/worker/heartbeats.js';
import { poll, type Polled } from '../../src/domain/service/poll.js';
import { isUnavailable } from '../../src/domain/transaction/unavailable.js';
import { type Clock, delayUnlessStopped, processClock } from '../clock.js';
import { DatabaseStability, type LeaseTimes } from './lease-times.js';
import { ResultWriter } from './results.js';

interface ClaimManagerOptions {
  readonly store: ClaimStore;
  readonly times: LeaseTimes;
  readonly onRecorded: (ended: readonly EndedAttempt[], result: RecordResult) => void;
  /** Called when recording failed; it is retried. */
  readonly onRecordError: (error: unknown, attempts: number) => void;
  /** Called with attempts that were not recorded; workers send their deliveries again. */
  readonly onDropped: (ended: readonly EndedAttempt[]) => void;
  /** Called when extending leases or releasing claims failed; both are retried. */
  readonly onError: (error: unknown) => void;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  /** Creates {@link Leases}; the simulation replaces it. */
  readonly leases?: (clock: Clock) => Leases;
  /** Creates {@link UnconfirmedClaims}; the simulation replaces it. */
  readonly unconfirmed?: (options: UnconfirmedClaimsOptions) => UnconfirmedClaims;
  /** Defaults to random tokens. */
  readonly makeToken?: () => number;
}

const extendEveryMs = 1_000;

/**
 * Records, releases or defers each claim of this process. Until then it extends the lease, so that others send the
 * delivery again only when this process dies or stalls for long.
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
    const { store, times, onError, clock = processClock, makeToken } = options;
    this.#options = options;
    this.#clock = clock;
    this.#leases = options.leases?.(clock) ?? new Leases(clock);

    const unconfirmed = {
      release: store.releaseUnconfirmed,
      leaseMs: times.leaseMs,
      clock,
      ...(makeToken && { makeToken }),
    };
    this.#unconfirmed = options.unconfirmed?.(unconfirmed) ?? new UnconfirmedClaims(unconfirmed);

    this.#releases = new ClaimReleases({ onError });

    const { graceMs, startTimeoutMs: stallMs } = times;
    this.#stability = new DatabaseStability({ graceMs, stallMs: extendEveryMs + stallMs, clock });

    this.resultWriter = new ResultWriter({
      recordResults: store.recordResults,
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

  /** Runs `claim` with a new token. @throws what `claim` throws */
  async claim(claim: (token: number) => Promise<Claim[]>): Promise<Claim[]> {
    // Measured before the statement, because the lease begins while it runs.
    const until = this.#clock.now() + this.#options.times.leaseMs;
    const claims = await this.#unconfirmed.claim(claim);
    this.#leases.add(claims, until);
    return claims;
  }

  /** Lets the leases of these claims expire: this process neither records nor releases the claims. */
  leaveToExpire(claims: readonly Pick<Claim, 'token'>[]): void {
    this.#leases.add(claims, this.#clock.now() + this.#options.times.leaseMs);
  }

  /** Releases claims that were not attempted. */
  release(claims: readonly Claim[]): Promise<void> {
    return this.#releases.add(claims, async () => {
      await this.#options.store.release(claims);
      this.#leases.ended(claims);
    });
  }

  /**
   * Releases a claim whose attempt failed by an error of the service. Its delivery is due when its lease would end.
   * @param endpoint makes it wait longer, and with it the ready deliveries of its endpoint
   */
  defer(claim: Claim, endpoint?: EndpointWait): Promise<void> {
    return this.#releases.add([claim], async () => {
      await this.#options.store.defer(claim, endpoint);
      this.#leases.ended([claim]);
    });
  }

  /** Releases unconfirmed claims. @returns the number of pending deliveries */
  releaseUnconfirmed(): Promise<number> {
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

  /** Does the same as {@link promote} and returns what waits. A failed poll alone does not delay the end of leases. */
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
    await Promise.all([this.#releases.retry(), this.releaseUnconfirmed()]);
  }

  *#tokens(): Iterable<number> {
    yield* this.resultWriter.tokens();
    yield* this.#releases.tokens();
  }

  /** Runs a promote or a poll, both of which end leases, and tracks whether PostgreSQL is stable. */
  async #promote<T extends Promoted>(send: (endedBy: number) => Promise<T>): Promise<T> {
    const sentAt = this.#clock.now();
    try {
      const promoted = await send(this.#stability.endedBy());
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
    while (await delayUnlessStopped(extendEveryMs, this.#stopping.signal, this.#clock)) {
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

/** The statements and transactions of a {@link ClaimManager}; the simulation replaces them. */
export interface ClaimStore {
  readonly recordResults: (ended: readonly EndedAttempt[]) => Promise<RecordResult>;
  /** @returns the tokens of the leases that still exist */
  readonly extend: (tokens: readonly number[], leaseMs: number) => Promise<readonly number[]>;
  readonly release: (claims: readonly Claim[]) => Promise<void>;
  readonly defer: (claim: Claim, endpoint?: EndpointWait) => Promise<void>;
  readonly releaseUnconfirmed: (tokens: readonly number[]) => Promise<readonly ReleasedClaim[]>;
  readonly deleteLeases: (tokens: readonly number[]) => Promise<void>;
  /** @param endedBy keeps leases that ended later, in milliseconds since 1970 of PostgreSQL's clock */
  readonly promote: (endedBy: number) => Promise<Promoted>;
  /** @param endedBy see {@link ClaimStore.promote} */
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
    releaseUnconfirmed: (tokens) => releaseUnconfirmed(read, tokens),
    deleteLeases: (tokens) => deleteLeases(read, tokens),
    promote: (endedBy) => promoteDue(read, endedBy, worker),
    poll: (endedBy) => poll(read, endedBy, worker),
  };
}

type LeasedClaim = Pick<Claim, 'token'>;

interface ClaimReleasesOptions {
  /** Called when a release failed; it is retried if the error {@link isUnavailable}. */
  readonly onError: (error: unknown) => void;
}

/**
 * Releases claims and retries until PostgreSQL accepts. A claim left to the end of its lease would count
 * as interrupted although no process died.
 */
export class ClaimReleases {
  readonly #options: ClaimReleasesOptions;
  /** Releases that failed, each with its claims. */
  readonly #pending = new Map<() => Promise<void>, readonly LeasedClaim[]>();
  #retrying: Promise<void> | undefined;

  constructor(options: ClaimReleasesOptions) {
    this.#options = options;
  }

  /** Releases `claims` now, or in {@link retry} if that fails. @throws an error that no retry can recover */
  async add(claims: readonly LeasedClaim[], release: () => Promise<void>): Promise<void> {
    try {
      await release();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#pending.set(release, claims);
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
    for (const [release, claims] of this.#pending) {
      try {
        await release();
      } catch (error) {
        if (isUnavailable(error)) {
          // Moved to the end, so that one locked row does not delay the others.
          this.#pending.delete(release);
          this.#pending.set(release, claims);
          throw error;
        }
        this.#options.onError(error);
      }

      this.#pending.delete(release);
    }
  }
}

export interface UnconfirmedClaimsOptions {
  /** Releases everything claimed under these tokens. @returns the tokens that were found */
  readonly release: (tokens: readonly number[]) => Promise<readonly ReleasedClaim[]>;
  readonly leaseMs: number;
  /** Defaults to the process clock. */
  readonly clock?: Clock;
  /** Defaults to random tokens. */
  readonly makeToken?: () => number;
}

/** At most this many tokens are remembered; the leases of further ones simply expire. */
const maxRemembered = 1_000;

/**
 * Claims whose answer from PostgreSQL was lost. The process sent nothing under them, so it releases them; otherwise
 * they would count as interrupted. It chooses the tokens itself, so it knows what to release.
 */
export class UnconfirmedClaims {
  readonly #options: UnconfirmedClaimsOptions;
  readonly #clock: Clock;
  /**
   * When the lease of each token is over, in milliseconds of the clock. Undefined until PostgreSQL has answered again:
   * if it paused, it executes the claim when it continues, and the lease begins then.
   */
  readonly #unconfirmed = new Map<number, number | undefined>();

  constructor(options: UnconfirmedClaimsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /** Runs `claim` with a new token, and remembers the token if the answer is lost. @throws what `claim` throws */
  async claim<Result>(claim: (token: number) => Promise<Result>): Promise<Result> {
    const { makeToken = claimToken } = this.#options;
    const token = makeToken();
    try {
      return await claim(token);
    } catch (error) {
      // The statement may have run, or may still run.
      if (isUnavailable(error)) this.#remember(token);
      throw error;
    }
  }

  /**
   * Releases unconfirmed claims. A statement may still run after its connection broke, so a token that was
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
      if (isUnavailable(error)) this.#keep(tokens);
      // A retry cannot recover from this error, so expired tokens need no further release.
      else this.#dropExpired(tokens);
      throw error;
    }

    for (const { token } of released) this.#unconfirmed.delete(token);
    this.#dropExpired(tokens);

    return released.reduce((sum, { pendingDeliveries }) => sum + pendingDeliveries, 0);
  }

  /** PostgreSQL did not answer: the time until their leases are over begins anew. */
  #keep(tokens: readonly number[]): void {
    for (const token of tokens) {
      if (this.#unconfirmed.has(token)) this.#unconfirmed.set(token, undefined);
    }
  }

  /** PostgreSQL answered: forgets those of `tokens` that it did not find for as long as a lease lasts. */
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
  /** Claims that are neither recorded nor released. */
  open: number;
  /** When it ends, in milliseconds of the clock. */
  until: number;
}

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

  /** Adds claims to their leases. @param until when these end, in milliseconds of the clock; they are forgotten then */
  add(claims: readonly LeasedClaim[], until: number): void {
    for (const { token } of claims) {
      const lease = this.#leases.get(token);
      if (lease) lease.open += 1;
      else this.#leases.set(token, { open: 1, until });
    }
  }

  /** Returns those of `tokens` whose leases end within `ms` milliseconds or are no longer tracked. */
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
