import type { EndedAttempt, SentClaim } from '../../src/domain/delivery/attempt.js';
import type { StaleCancellations } from '../../src/domain/delivery/cancel.js';
import type { Claim, Lane, Capacity } from '../../src/domain/delivery/claim.js';
import type { ClaimCursors } from '../../src/domain/delivery/claim-deliveries.js';
import { interruptionsBeforeIsolation, type Promoted } from '../../src/domain/delivery/promote.js';
import type { EndpointWait, ReleasedClaim } from '../../src/domain/delivery/leases.js';
import type { Waiting } from '../../src/domain/service/poll.js';
import type { RecordResult } from '../../src/domain/delivery/recording.js';
import {
  healthChange,
  type EndpointSnapshot,
  attemptResultOf,
  isDeliverable,
} from '../../src/domain/delivery/attempt-result.js';
import { type HealthChange } from '../../src/domain/delivery/health.js';
import {
  MemoryTables,
  type PendingDeliveryRow,
  deliveryOf,
  type DeliveryRow,
  type EndpointRow,
  matchesEndpoint,
  subjectsOf,
} from './memory-tables.js';

/** What one claim of a lane takes, and under which lease. */
interface MemoryClaim {
  readonly lane: Lane;
  readonly cursors: ClaimCursors;
  readonly capacity: Capacity;
  readonly leaseMs: number;
  readonly token: number;
}

/**
 * The tables of the delivery engine in memory: each method keeps the promise of the statement or
 * transaction of the same name, whole or not at all, and decides with the service's own functions.
 * `test/integration/domain/delivery/pending-delivery-states.test.ts` compares it with PostgreSQL.
 */
export class MemoryStore extends MemoryTables {
  claim({ lane, cursors, capacity, leaseMs, token }: MemoryClaim): Claim[] {
    const ready = this.where((pending) => this.isFree(pending) && pending.lane === lane);
    const accountOf = ({ endpointId }: PendingDeliveryRow) => this.endpoint(endpointId).accountId;
    const pick = (endpointId: string) => {
      const endpoint = this.endpoint(endpointId);
      return ready
        .filter((pending) => pending.endpointId === endpointId && this.mayClaim(endpoint, pending))
        .sort((one, other) => one.dueAt - other.dueAt)
        .slice(0, this.capacityAt(endpointId, capacity));
    };

    const capacities = cursors.accountCapacities(capacity);
    const listed = (capacity.fastEndpoints ?? []).map(({ endpointId }) => endpointId);
    const walked = onceAround(ready.map(accountOf), cursors.accountCursor).flatMap((account) => {
      const [most, after] = capacities.get(account) ?? [capacity.perAccount ?? capacity.slots, ''];
      const ofAccount = ready.filter((pending) => accountOf(pending) === account);
      const endpoints = onceAround(
        ofAccount.map(({ endpointId }) => endpointId),
        after,
      );
      const others = endpoints.filter((id) => !listed.includes(id));
      return others.flatMap(pick).slice(0, most);
    });

    const fast = listed.flatMap(pick);
    const claimable = cursors.fastFirst ? [...fast, ...walked] : [...walked, ...fast];
    const picked = claimable.slice(0, capacity.slots);
    const now = this.options.now();

    if (picked.length > 0) this.leases.set(token, now + leaseMs);

    const claims = picked.map((pending) => {
      pending.leaseToken = token;
      return this.#claimOf(pending, token, now);
    });

    cursors.advance(capacity, claims);

    return claims;
  }

  recordResults(ended: readonly EndedAttempt[]): RecordResult {
    const { policy, random } = this.options;
    const kept = ended.filter(({ claim }) =>
      this.holds(this.pendingDeliveries.get(claim.pendingDeliveryId), claim),
    );
    const changes = [...new Set(kept.map(({ claim }) => claim.endpointId))].flatMap((id) => {
      const ofEndpoint = kept.filter(({ claim }) => claim.endpointId === id);
      return this.healthAfter(id, ofEndpoint) ?? [];
    });

    const disabled = changes.flatMap(({ endpointId, disable }) => (disable ? endpointId : []));
    const recorded = kept.map((attempt) => {
      const { endpointId } = attempt.claim;
      const deliverable =
        !disabled.includes(endpointId) && isDeliverable(this.#recorded(endpointId), attempt);
      return this.decide(attempt, deliverable, policy, random);
    });

    for (const { ended: attempt, status, dueAt } of recorded) this.#record(attempt, status, dueAt);
    for (const change of changes) this.applyHealth(change);
    if (disabled.length > 0) this.cancelPendingDeliveries(disabled);

    const over = recorded.filter(({ dueAt }) => dueAt === null);
    this.advanceSubjects(subjectsOf(over.map(({ ended: { claim } }) => claim)));

    return { recorded, disabled };
  }

  release(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const pending = this.pendingDeliveries.get(claim.pendingDeliveryId);
      if (pending?.leaseToken !== claim.token) continue;
      pending.leaseToken = null;
    }
  }

  /**
   * Releases a claim whose attempt could not be made; it is due again when its lease would have ended.
   * @param endpoint lets it wait longer, and with it what is ready at its endpoint
   */
  defer({ pendingDeliveryId, token, endpointId }: Claim, endpoint?: EndpointWait): void {
    const waitsUntil = this.options.now() + (endpoint?.waitMs ?? 0);
    const dueAt = Math.max(this.leases.get(token) ?? 0, waitsUntil);
    const deferred = this.where(
      (pending) =>
        (pending.id === pendingDeliveryId && pending.leaseToken === token) ||
        (pending.endpointId === endpointId &&
          pending.lane === endpoint?.lane &&
          this.isFree(pending)),
    );
    for (const pending of deferred)
      Object.assign(pending, { ready: false, leaseToken: null, dueAt });
  }

  /** Makes due pending deliveries ready, and ends expired leases. @param endedBy keeps leases that ended later */
  promote(endedBy = Infinity): Promoted {
    const waiting = this.where((pending) => this.isDue(pending));
    for (const pending of waiting) pending.ready = true;

    const ended = [...this.leases.keys()].filter((token) => this.hasEnded(token, endedBy));
    const lost = this.where(({ leaseToken }) => leaseToken !== null && ended.includes(leaseToken));
    for (const pending of lost) this.#interrupt(pending);
    for (const token of ended) this.leases.delete(token);

    const due = [...waiting, ...lost];
    const inLane = (wanted: Lane) =>
      due.filter(({ lane, ready }) => ready && lane === wanted).length;
    return {
      live: inLane('live'),
      replays: inLane('replay'),
      isolated: inLane('isolated'),
      interrupted: lost.length,
      deadLettered: lost.filter(({ deadLettered }) => deadLettered).map(({ id }) => id),
      full: false,
      nowMs: this.options.now(),
    };
  }

  releaseUnconfirmed(tokens: readonly number[]): ReleasedClaim[] {
    return tokens.flatMap((token) => {
      if (!this.leases.delete(token)) return [];
      const held = this.where(({ leaseToken }) => leaseToken === token);
      for (const pending of held) pending.leaseToken = null;
      return { token, pendingDeliveries: held.length };
    });
  }

  /** Extends leases. @returns the tokens of those that had not been ended */
  extendLeases(tokens: readonly number[], leaseMs: number): number[] {
    const extended = tokens.filter((token) => this.leases.has(token));
    for (const token of extended) this.leases.set(token, this.options.now() + leaseMs);
    return extended;
  }

  deleteLeases(tokens: readonly number[]): void {
    for (const token of tokens) this.leases.delete(token);
  }

  /** Returns what a poll finds, before it promotes. */
  waiting(): Waiting {
    const ready = (lane: Lane) =>
      this.where((pending) => this.isFree(pending) && pending.lane === lane).length > 0;
    return {
      live: ready('live'),
      replay: ready('replay'),
      recovery: ready('recovery'),
      isolated: this.hasIsolatedReady(),
      cancellations: this.nextPendingCancellation('') !== undefined,
      notices: false,
      checkouts: false,
      recoveries: false,
      subjects: this.where((pending) => this.waitsForTurn(pending)).length > 0,
    };
  }

  /** Whether an isolated delivery is ready. */
  hasIsolatedReady(): boolean {
    const ready = this.where((pending) => this.isFree(pending) && pending.lane === 'isolated');
    return ready.some((pending) => this.mayClaim(this.endpoint(pending.endpointId), pending));
  }

  /** Lets a dead letter be claimed again, unless it is a replay and another one runs. */
  releaseDeadLetter(pendingDeliveryId: string): 'released' | 'delivery_in_progress' {
    const pending = this.pendingDeliveries.get(pendingDeliveryId);
    if (!pending?.deadLettered) throw new Error(`${pendingDeliveryId} is not dead-lettered`);
    if (isReplay(pending) && this.where((other) => isBeside(pending, other)).length > 0) {
      return 'delivery_in_progress';
    }
    const dueAt = this.options.now();
    Object.assign(pending, { deadLettered: false, ready: true, dueAt });
    pending.interruptions = interruptionsBeforeIsolation;
    return 'released';
  }

  cancelStale(after: string): StaleCancellations {
    const toCancel = this.where((pending) => {
      const endpoint = this.endpoint(pending.endpointId);
      const dead = !endpoint.active || endpoint.deleted;
      const isNext = after === '' || pending.endpointId < after;
      const isFound = isNext && (dead || pending.ready);
      return isFound && this.mayCancel(pending) && !matchesEndpoint(endpoint, pending);
    });
    return { cancelled: this.end(toCancel), next: '' };
  }

  /** Whether a claim may still record its result. */
  protected holds(pending: PendingDeliveryRow | undefined, { token }: SentClaim): boolean {
    return pending?.leaseToken === token;
  }

  /** Whether a pending delivery that waits becomes ready. */
  protected isDue({ ready, deadLettered, dueAt }: PendingDeliveryRow): boolean {
    return !ready && !deadLettered && dueAt <= this.options.now();
  }

  /** Whether a pending delivery is ready and no process sends it. */
  protected isFree({ ready, leaseToken }: PendingDeliveryRow): boolean {
    return ready && leaseToken === null;
  }

  /** Whether the claims under this token are lost: their lease has ended, and not later than `endedBy`. */
  protected hasEnded(token: number, endedBy: number): boolean {
    return (this.leases.get(token) ?? Infinity) <= Math.min(this.options.now(), endedBy);
  }

  /** Whether a ready pending delivery may be sent. */
  protected mayClaim(endpoint: EndpointRow, pending: PendingDeliveryRow): boolean {
    return endpoint.cancellingSince === null && matchesEndpoint(endpoint, pending);
  }

  /** Returns how many attempts a process may begin at an endpoint. */
  protected capacityAt(endpointId: string, { perEndpoint, usedSlots }: Capacity): number {
    return Math.max(0, perEndpoint - (usedSlots.get(endpointId) ?? 0));
  }

  /** Decides what the record of an attempt says, and when its pending delivery is due again. */
  protected readonly decide: typeof attemptResultOf = attemptResultOf;

  /** Returns how attempts at an endpoint change its health; undefined if they do not. */
  protected healthAfter(
    endpointId: string,
    attempts: readonly EndedAttempt[],
  ): HealthChange | undefined {
    const { policy } = this.options;
    const seen = this.#recorded(endpointId);
    // Only endpoints that seem to change are locked, and looked at again with their url.
    const locked = { ...seen, url: this.endpoint(endpointId).url };
    return healthChange(seen, attempts, policy) && healthChange(locked, attempts, policy);
  }

  /** Writes a verdict; one that disables, warns or ends a run with warnings enqueues a notice. */
  protected applyHealth({ endpointId, health, disable, warn, recovered }: HealthChange): void {
    const endpoint = this.endpoint(endpointId);
    endpoint.failingSince = health.failingSince?.getTime() ?? null;
    endpoint.failureCount = health.failureCount;
    endpoint.warnings = health.warnings;
    if (recovered) this.healthNotices.push(endpointId);
    if (warn && disable === undefined) this.healthNotices.push(endpointId);
    if (disable === undefined) return;
    Object.assign(endpoint, { active: false, disabledReason: disable });
    this.touch(endpoint);
    this.notices.push(endpointId);
  }

  /** Records that the claim of a pending delivery ended without a result. */
  #interrupt(pending: PendingDeliveryRow): void {
    pending.interruptions += 1;
    pending.leaseToken = null;
    if (pending.interruptions >= interruptionsBeforeIsolation) pending.lane = 'isolated';
    if (pending.interruptions < 2 * interruptionsBeforeIsolation) return;
    Object.assign(pending, { deadLettered: true, ready: false, dueAt: this.options.now() });
  }

  #claimOf(pending: PendingDeliveryRow, token: number, now: number): Claim {
    const {
      id: pendingDeliveryId,
      endpointId,
      eventId,
      attempt,
      maxAttempts,
      replayedFrom,
      test,
      subjectKey,
    } = pending;

    const { accountId, url, secrets } = this.endpoint(endpointId);
    const event = this.events.get(eventId);
    if (!event) throw new Error(`no event ${eventId}`);

    return {
      pendingDeliveryId,
      token,
      ctid: '',
      accountId,
      endpointId,
      url,
      maxPerSecond: null,
      retrySchedule: null,
      secrets: secrets.filter(({ endsAt }) => endsAt > now),
      privateKeys: [],
      headers: null,
      event,
      attempt,
      maxAttempts,
      replayedFrom,
      test,
      subjectKey,
      claimedAt: new Date(now),
    };
  }

  #record(
    { claim, deliveryId }: EndedAttempt,
    status: DeliveryRow['status'],
    dueAt: Date | null,
  ): void {
    const { pendingDeliveryId } = claim;
    this.deliveries.set(deliveryId, deliveryOf(claim, deliveryId, status));

    const pending = this.pendingDeliveries.get(pendingDeliveryId);
    if (!dueAt || !pending) {
      this.pendingDeliveries.delete(pendingDeliveryId);
      return;
    }

    pending.attempt += 1;
    pending.lane = 'live';
    pending.ready = false;
    pending.leaseToken = null;
    pending.interruptions = 0;
    pending.dueAt = dueAt.getTime();
    pending.lastDeliveryId = deliveryId;
    this.wakeups.push({ kind: 'due', at: new Date(Math.ceil(dueAt.getTime() / 1_000) * 1_000) });
  }

  #recorded(id: string): EndpointSnapshot {
    const { active, deleted, eventTypes, failingSince, failureCount, warnings } = this.endpoint(id);
    return {
      id,
      live: active && !deleted,
      eventTypes: eventTypes.join(' '),
      failureCount,
      warnings,
      failingSince: failingSince === null ? null : new Date(failingSince),
    };
  }
}

/** Returns each of `ids` once, in a circle that begins after `after`. */
function onceAround(ids: readonly string[], after: string): string[] {
  const walk = [...new Set(ids)].sort();
  const next = walk.findIndex((id) => id > after);
  if (next > 0) walk.push(...walk.splice(0, next));
  return walk;
}

/** Whether a replay waits for its first attempt. */
function isReplay({ replayedFrom, attempt }: PendingDeliveryRow): boolean {
  return replayedFrom !== null && attempt === 1;
}

function isBeside({ endpointId, eventId }: PendingDeliveryRow, other: PendingDeliveryRow): boolean {
  const same = other.endpointId === endpointId && other.eventId === eventId;
  return same && isReplay(other) && !other.deadLettered;
}

/** The isolation lock in memory, as `domain/delivery/isolation.ts` keeps it in PostgreSQL. */
export class MemoryIsolationLock {
  readonly #now: () => number;
  #holder: string | undefined;
  #until = -Infinity;

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  acquire(holder: string, lockMs: number): boolean {
    if (this.#now() < this.#until && this.#holder !== holder) return false;
    this.#holder = holder;
    this.#until = this.#now() + lockMs;
    return true;
  }

  release(holder: string, cooldownMs: number): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#until = this.#now() + Math.ceil(cooldownMs);
  }
}
