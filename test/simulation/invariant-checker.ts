import type { AttemptResult } from '../../src/domain/delivery/attempt-result.js';
import type { RetryPolicy } from '../../src/domain/transaction/rules.js';
import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { Claim, Lane } from '../../src/domain/delivery/claim.js';
import type { Outcome } from '../../src/domain/delivery/outcome.js';
import type { RecordResult } from '../../src/domain/delivery/recording.js';
import type { MemoryStore } from './memory-store.js';
import type { Scenario } from './scenario.js';
import { type PendingDeliveryRow, matchesEndpoint } from './memory-tables.js';
import type { Runner } from './virtual-time.js';

interface Lease {
  readonly token: number;
  readonly lane: Lane;
  until: number;
  over: boolean;
  started: boolean;
}

interface Tracked {
  readonly row: PendingDeliveryRow;
  readonly publishedAt: number;
  readonly records: { readonly id: string; readonly attempt: number }[];
  lease: Lease | undefined;
  /** Isolated claims that are neither given back nor recorded. */
  isolatedClaims: number;
  /** The earliest time at which an attempt may be claimed. */
  earliest: number;
  ended: boolean;
  /** True once its endpoint refused it while it was not in flight: it must not be sent again. */
  cancelled: boolean;
  /** The subject whose deliveries go one at a time; null without order. */
  subject: string | null;
  /** When its publish was sent, and when it was answered. */
  readonly publishSentAt: number;
  publishAnsweredAt: number;
  /** Whether a request for it was sent. */
  begun: boolean;
}

/** When an endpoint last refused all of its pending deliveries, or those of a type. */
interface Refusals {
  all: number;
  readonly types: Map<string, number>;
}

/** First attempts begin within this time if nothing goes wrong and slots are free. */
const maxDelayMs = 100;
/** Retries have one wake-up for the whole second, at its end. */
const wakeupEveryMs = 1_000;

/**
 * Watches everything that processes, receivers and operators do, and throws when it breaks a promise
 * of the service. It keeps its own records, and never asks the code that it watches.
 */
export class InvariantChecker {
  readonly #scenario: Scenario;
  readonly #store: MemoryStore;
  readonly #now: () => number;
  readonly #pendingDeliveries = new Map<string, Tracked>();
  readonly #open = new Set<string>();
  readonly #answers = new Map<string, Outcome>();
  readonly #inFlight = new Map<Runner, Map<string, number>>();
  readonly #failures: FailureRuns;
  readonly #refusals = new Map<string, Refusals>();
  /** The attempts that were sent, each as its pending delivery and the number of records at that time. */
  readonly #sent = new Set<string>();
  /** When a delivery of an ordered subject last ended. */
  readonly #subjectFreedAt = new Map<string, number>();
  /** Those that a person gave up. */
  readonly #givenUp = new Set<string>();
  #disablings = 0;

  /** @param now milliseconds since 1970 */
  constructor(scenario: Scenario, store: MemoryStore, now: () => number) {
    this.#scenario = scenario;
    this.#store = store;
    this.#now = now;
    this.#failures = new FailureRuns(scenario.policy);
  }

  /** Pending deliveries that have not ended. */
  get open(): number {
    return this.#open.size;
  }

  /**
   * Records new pending deliveries: from now on the service promises to deliver them.
   * @param publishSentAt when their publish was sent; defaults to now
   */
  opened(rows: readonly PendingDeliveryRow[], publishSentAt = this.#now()): void {
    for (const row of rows) {
      const at = this.#now();
      const tracked = {
        records: [],
        lease: undefined,
        earliest: at,
        ended: false,
        isolatedClaims: 0,
        subject: row.subjectKey,
        publishSentAt,
        publishAnsweredAt: Infinity,
        begun: false,
      };
      this.#pendingDeliveries.set(row.id, { row, publishedAt: at, cancelled: false, ...tracked });
      this.#open.add(row.id);
    }
  }

  /** Records that the publish of these pending deliveries was answered. */
  published(rows: readonly PendingDeliveryRow[]): void {
    for (const { id } of rows) this.#pending(id).publishAnsweredAt = this.#now();
  }

  /** Records that the endpoint no longer orders what is pending. */
  unordered(endpointId: string): void {
    for (const id of this.#open) {
      const pending = this.#pending(id);
      if (pending.row.endpointId === endpointId) pending.subject = null;
    }
  }

  /** Records that a person gave a pending delivery up. */
  gaveUp(id: string): void {
    this.#givenUp.add(id);
  }

  claimed(lane: Lane, claims: readonly Claim[], leaseMs: number): void {
    const now = this.#now();

    for (const { pendingDeliveryId, token, attempt, maxAttempts, secrets } of claims) {
      const pending = this.#pending(pendingDeliveryId);
      const { lease, records, row } = pending;

      invariant(!pending.ended, `${pendingDeliveryId} is claimed after its end`);
      invariant(!pending.cancelled, `${pendingDeliveryId} is claimed although it was cancelled`);

      invariant(
        !lease || lease.over || lease.until <= now,
        `${pendingDeliveryId} is claimed twice at a time`,
      );

      invariant(
        attempt === records.length + 1,
        `${pendingDeliveryId} is claimed for attempt ${attempt}`,
      );

      invariant(attempt <= maxAttempts, `${pendingDeliveryId} is claimed over its budget`);
      invariant(now >= pending.earliest, `${pendingDeliveryId} is claimed before it is due`);
      invariant(secrets.length > 0, `${pendingDeliveryId} is claimed without a secret`);

      invariant(
        this.#matchesEndpoint(row),
        `${pendingDeliveryId} is claimed for an endpoint that does not take it`,
      );

      if (lane === 'isolated') pending.isolatedClaims += 1;
      pending.lease = { token, lane, until: now + leaseMs, over: false, started: false };
    }
  }

  /** Records that these leases last for `leaseMs` from now. */
  extended(tokens: readonly number[], leaseMs: number): void {
    for (const id of this.#open) {
      const { lease } = this.#pending(id);
      if (lease && tokens.includes(lease.token)) lease.until = this.#now() + leaseMs;
    }
  }

  /** Records claims that were given back without an attempt. */
  released(claims: readonly Pick<Claim, 'pendingDeliveryId' | 'token'>[]): void {
    for (const { pendingDeliveryId, token } of claims) {
      const pending = this.#pending(pendingDeliveryId);
      const { lease } = pending;
      if (lease?.token !== token || lease.over) continue;
      lease.over = true;
      if (lease.lane === 'isolated') pending.isolatedClaims -= 1;
    }
  }

  /** Records that a request leaves a process, which still has to record `unrecorded` outcomes. */
  started(
    runner: Runner,
    lane: Lane,
    { pendingDeliveryId, token, endpointId, accountId }: Claim,
    unrecorded: number,
  ): void {
    const now = this.#now();
    const pending = this.#pending(pendingDeliveryId);
    const { lease, records } = pending;
    this.#checkOrder(pending);
    pending.begun = true;
    const earliest = Math.max(pending.earliest, this.#subjectFreedAt.get(subjectOf(pending)) ?? 0);
    invariant(
      lease?.token === token && !lease.over,
      `${pendingDeliveryId} is sent without a claim`,
    );

    invariant(now < lease.until, `${pendingDeliveryId} is sent after its lease ended`);
    invariant(!lease.started, `${pendingDeliveryId} is sent twice under one claim`);
    lease.started = true;

    const isAgain = this.#sent.has(`${pendingDeliveryId} ${records.length}`);
    invariant(
      !this.#scenario.databaseRefuses || !isAgain,
      `${pendingDeliveryId} is sent again though no process died`,
    );

    this.#sent.add(`${pendingDeliveryId} ${records.length}`);

    if (this.#scenario.faultless) {
      const isRetry = records.length > 0;
      const wokenAt = isRetry ? Math.ceil(earliest / wakeupEveryMs) * wakeupEveryMs : earliest;
      const late = now - wokenAt - maxDelayMs;
      invariant(
        late <= 0,
        `${pendingDeliveryId} is sent ${Math.round(late)} ms late for no reason`,
      );
    }

    const others = this.#count(runner, 'all', 1) - 1;
    const isIsolated = this.#count(runner, 'isolated', 0) === 0 || others === 0;
    const isExclusive = lane !== 'isolated' || (others === 0 && unrecorded === 0);
    invariant(isIsolated && isExclusive, `${pendingDeliveryId} is not sent alone`);

    const { slots, perEndpoint, perHost } = this.#scenario;
    invariant(this.#count(runner, lane, 1) <= slots, 'a process has more attempts than slots');

    const here = this.#count(runner, `${lane} ${endpointId}`, 1);
    invariant(here <= perEndpoint, `${here} attempts of a process at ${endpointId}`);

    const ofHost = this.#count(runner, `${lane} ${accountId}`, 1);
    invariant(ofHost <= perHost, `${ofHost} attempts of a process at the host of ${accountId}`);
  }

  /** Records that a process knows the outcome of a request, or has aborted it. */
  finished(runner: Runner, lane: Lane, { endpointId, accountId }: Claim): void {
    this.#count(runner, 'all', -1);
    this.#count(runner, lane, -1);
    this.#count(runner, `${lane} ${accountId}`, -1);
    this.#count(runner, `${lane} ${endpointId}`, -1);
  }

  responded(deliveryId: string, outcome: Outcome): void {
    this.#answers.set(deliveryId, outcome);
  }

  recorded(ended: readonly EndedAttempt[], { recorded, disabled }: RecordResult): void {
    for (const result of recorded) {
      invariant(ended.includes(result.ended), 'something else was settled');
      this.#record(result, disabled);
    }

    const wasLive = (id: string) => this.#isLive(id) || disabled.includes(id);
    const urlOf = (id: string) => this.#store.endpoints.get(id)?.url ?? '';
    this.#failures.checkDisabling(recorded, disabled, wasLive, urlOf);
    this.#disablings += disabled.length;
    invariant(this.#store.notices.length === this.#disablings, 'not one notice for each disabling');

    for (const id of disabled) {
      invariant(!this.#isLive(id), `${id} is disabled and goes on`);
      this.refused(id);
    }
  }

  /** Records that the endpoint refuses its pending deliveries from now on, or those of these types. */
  refused(endpointId: string, types?: readonly string[]): void {
    const refusals = this.#refusals.get(endpointId) ?? { all: -Infinity, types: new Map() };
    this.#refusals.set(endpointId, refusals);
    if (!types) refusals.all = this.#now();
    for (const type of types ?? []) refusals.types.set(type, this.#now());
    for (const id of this.#open) {
      const pending = this.#pending(id);
      const { endpointId: to, test, eventType } = pending.row;
      const concerned = to === endpointId && (!types || (!test && types.includes(eventType)));
      // A process that still holds it may record a result, and then it continues.
      if (concerned && (!pending.lease || pending.lease.over)) pending.cancelled = true;
    }
  }

  /** Records claims that ended with their leases. There are none where processes neither die nor stall. */
  interrupted(pendingDeliveries: number): void {
    invariant(
      !this.#scenario.losesClaimResponses || pendingDeliveries === 0,
      'a claim whose answer was lost counts as interrupted',
    );
    invariant(
      !this.#scenario.databaseRefuses || pendingDeliveries === 0,
      'a delivery that a living process could not record counts as interrupted',
    );
  }

  /** Records dead letters: each was interrupted three times in isolation, and none is claimed again. */
  deadLettered(pendingDeliveryIds: readonly string[]): void {
    for (const id of pendingDeliveryIds) {
      const { isolatedClaims } = this.#pending(id);
      const isPoison = id.startsWith('v1>');
      invariant(!this.#scenario.hasPoison || isPoison, `${id} is dead-lettered for its neighbour`);
      invariant(isolatedClaims >= 3, `${id} is dead-lettered after ${isolatedClaims} claims alone`);
    }
  }

  /** Records that an operator released a dead letter. */
  deadLetterReleased(pendingDeliveryId: string): void {
    this.#pending(pendingDeliveryId).isolatedClaims = 0;
  }

  /** Records that a client enabled the endpoint again, or changed its url. */
  healthReset(endpointId: string): void {
    this.#failures.reset(endpointId);
  }

  /** Checks the store; called after each of its operations. */
  check(): void {
    if (this.#store.pendingDeliveries.size === this.#open.size) return;
    for (const id of this.#open) {
      if (this.#store.pendingDeliveries.has(id)) continue;
      const { row, lease } = this.#pending(id);
      const isHeld = lease !== undefined && !lease.over && lease.until > this.#now();
      invariant(!isHeld, `${id} vanished while a process held it`);
      const explained =
        !this.#matchesEndpoint(row) || this.#wasRefused(row) || this.#givenUp.has(id);
      invariant(explained, `${id} is lost: it vanished without an end`);
      this.#end(id);
    }
  }

  /** Checks that everything has ended. */
  close(): void {
    invariant(this.#open.size === 0, `${[...this.#open].join(', ')} did not end`);
  }

  #record({ ended, status, dueAt }: AttemptResult, disabled: readonly string[]): void {
    const { claim, deliveryId, outcome } = ended;
    const { pendingDeliveryId, attempt, maxAttempts, endpointId } = claim;
    const pending = this.#pending(pendingDeliveryId);
    const { lease, records, row } = pending;
    invariant(
      lease?.token === claim.token && !lease.over,
      `a lost claim of ${pendingDeliveryId} is recorded`,
    );

    invariant(
      attempt === records.length + 1,
      `${pendingDeliveryId} has a record of attempt ${attempt}`,
    );

    invariant(attempt <= row.maxAttempts, `${pendingDeliveryId} has a record over its budget`);

    invariant(
      this.#answers.get(deliveryId) === outcome,
      `${pendingDeliveryId} is recorded with a wrong outcome`,
    );

    lease.over = true;
    pending.isolatedClaims = 0;
    records.push({ id: deliveryId, attempt });

    const gone = 'status' in outcome && outcome.status === 410;
    const deliverable = this.#matchesEndpoint(row) && !disabled.includes(endpointId);
    const last = gone || attempt === maxAttempts || !deliverable;
    const expected = outcome.kind === 'accepted' ? 'success' : last ? 'abandoned' : 'failed';
    invariant(
      status === expected,
      `${pendingDeliveryId} is recorded as ${status}, not ${expected}`,
    );

    invariant(
      (dueAt === null) === (status !== 'failed'),
      `${pendingDeliveryId} goes on after its end or not`,
    );

    if (!dueAt) this.#end(pendingDeliveryId);
    else pending.earliest = this.#earliest(ended, dueAt.getTime());
  }

  /** Returns when the next attempt is due, and checks it against the schedule (H63). */
  #earliest({ claim, startedAt, durationMs, outcome }: EndedAttempt, dueAt: number): number {
    const { delaysMs, jitter } = this.#scenario.policy;
    const delay = delaysMs[claim.attempt - 1] ?? 0;
    const postponed = (outcome.kind === 'rejected' && outcome.retryAfter?.delayMs) || 0;
    const after = dueAt - startedAt.getTime() - Math.round(durationMs);
    const least = Math.max(delay * (1 - jitter), postponed) - 1;
    const most = Math.max(delay * (1 + jitter), postponed) + 1;
    invariant(
      after >= least && after <= most,
      `${claim.pendingDeliveryId} is due again after ${after} ms`,
    );
    return dueAt;
  }

  /** Those of a subject go one at a time, and one whose publish was answered before another was sent goes first. */
  #checkOrder(pending: Tracked): void {
    if (pending.subject === null) return;
    const { id } = pending.row;

    for (const other of this.#open) {
      const earlier = this.#pending(other);
      if (earlier === pending || subjectOf(earlier) !== subjectOf(pending)) continue;
      invariant(!earlier.begun, `${id} is sent before ${other} of its subject has ended`);
      invariant(
        earlier.publishAnsweredAt >= pending.publishSentAt,
        `${id} is sent before ${other}, which was published first`,
      );
    }
  }

  #end(id: string): void {
    const pending = this.#pending(id);
    this.#subjectFreedAt.set(subjectOf(pending), this.#now());
    pending.ended = true;
    this.#open.delete(id);
    for (const [place, record] of pending.records.entries()) {
      const status = this.#store.deliveries.get(record.id)?.status;
      const isLast = place === pending.records.length - 1;
      invariant(
        status === 'failed' ? !isLast : isLast,
        `${id} ends with ${status} as ${place + 1}.`,
      );
    }
  }

  #isLive(endpointId: string): boolean {
    const endpoint = this.#store.endpoints.get(endpointId);
    return endpoint !== undefined && endpoint.active && !endpoint.deleted;
  }

  /** Whether the endpoint refused the pending delivery at some moment since it was created. */
  #wasRefused({ id, endpointId, test, eventType }: PendingDeliveryRow): boolean {
    const refusals = this.#refusals.get(endpointId);
    const { publishedAt } = this.#pending(id);
    const ofType = test ? -Infinity : (refusals?.types.get(eventType) ?? -Infinity);
    return publishedAt <= Math.max(refusals?.all ?? -Infinity, ofType);
  }

  #matchesEndpoint(row: PendingDeliveryRow): boolean {
    const endpoint = this.#store.endpoints.get(row.endpointId);
    return endpoint !== undefined && matchesEndpoint(endpoint, row);
  }

  #count(runner: Runner, what: string, change: number): number {
    const counts = this.#inFlight.get(runner) ?? new Map<string, number>();
    this.#inFlight.set(runner, counts);
    const count = (counts.get(what) ?? 0) + change;
    counts.set(what, count);
    return count;
  }

  #pending(id: string): Tracked {
    const pending = this.#pendingDeliveries.get(id);
    invariant(pending !== undefined, `${id} was never published`);
    return pending;
  }
}

/** Names the ordered subject of a pending delivery; without order each is its own. */
function subjectOf({ row, subject }: Tracked): string {
  return subject === null ? row.id : `${row.endpointId} ${subject}`;
}

/** A promise of the service that something broke. */
class InvariantViolation extends Error {
  override readonly name = 'BrokenPromise';
}

/** @throws InvariantViolation unless `kept` */
function invariant(kept: boolean, violation: string): asserts kept {
  if (!kept) throw new InvariantViolation(violation);
}

/** Counts what happened in one seed or in many, so that a test sees that the faults occur. */
export interface Counters {
  pendingDeliveries: number;
  requests: number;
  /** Requests for deliveries that had been accepted before. */
  duplicates: number;
  records: number;
  /** Outcomes that came too late to be recorded. */
  staleResults: number;
  interrupted: number;
  deadLettered: number;
  disabled: number;
  replays: number;
  operations: number;
  crashes: number;
  stalls: number;
  stops: number;
  /** Attempts broken off by a process that stopped. */
  aborted: number;
  /** Claims that were given back unsent. */
  released: number;
  /** Pending deliveries of claims whose answer was lost, given back. */
  unconfirmed: number;
  /** Pending deliveries cancelled from the backlog. */
  cancelledFromBacklog: number;
  /** Outcomes dropped because their leases had ended. */
  dropped: number;
  /** Polls that found deliveries without a wake-up. */
  missed: number;
  statementsLost: number;
  /** Statements that were sent while the database refused something. */
  refusals: number;
  /** Leases that were extended. */
  extended: number;
  /** Pending deliveries that waited for the turn of their subject. */
  inOrder: number;
  /** Those that a person gave up. */
  givenUp: number;
}

/** Returns counters at zero. */
export function newCounters(): Counters {
  return {
    pendingDeliveries: 0,
    requests: 0,
    duplicates: 0,
    records: 0,
    staleResults: 0,
    interrupted: 0,
    deadLettered: 0,
    disabled: 0,
    replays: 0,
    operations: 0,
    crashes: 0,
    stalls: 0,
    stops: 0,
    aborted: 0,
    released: 0,
    unconfirmed: 0,
    cancelledFromBacklog: 0,
    dropped: 0,
    missed: 0,
    statementsLost: 0,
    refusals: 0,
    extended: 0,
    inOrder: 0,
    givenUp: 0,
  };
}

/** Adds `other` to `sum`. */
export function addCounters(sum: Counters, other: Counters): void {
  for (const key of Object.keys(sum) as (keyof Counters)[]) sum[key] += other[key];
}

/** The unbroken run of failures of each endpoint, computed independently of the service (H69–H71). */
class FailureRuns {
  readonly #policy: RetryPolicy;
  readonly #runs = new Map<string, { since: number; count: number }>();

  constructor(policy: RetryPolicy) {
    this.#policy = policy;
  }

  /** Ends the run of this endpoint. */
  reset(endpointId: string): void {
    this.#runs.delete(endpointId);
  }

  /**
   * Applies the results of one transaction. Endpoints that were inactive before it have no run.
   * @throws InvariantViolation when another endpoint was disabled than should be
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

      const ends = wasLive(id) && evidence.some((attempt) => this.#ends(id, attempt));
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
