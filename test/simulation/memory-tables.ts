import type { PendingCancellation } from '../../src/domain/delivery/cancel.js';
import type { ClaimedEvent, Lane } from '../../src/domain/delivery/claim.js';
import type { RetryPolicy, DisabledReason } from '../../src/domain/transaction/rules.js';
import type { Wakeup } from '../../src/domain/transaction/wakeup.js';
import { maxOldSecrets, rotationOverlapMs } from '../../src/domain/endpoint/secrets.js';
import type { SentClaim } from '../../src/domain/delivery/attempt.js';
import type { DeliveryStatus } from '../../src/domain/delivery/attempt-result.js';
import type { SealedSecret } from '../../src/domain/values/sealer.js';

/** An event to publish; its pending deliveries are named by `pendingDeliveryId`, once for each endpoint. */
interface MemoryEvent {
  readonly id: string;
  readonly type: string;
  readonly test: boolean;
  /** Defaults to one subject for all. */
  readonly subject?: string;
  /** What {@link MemoryTables.nextNumber} returned before the commit. Defaults to the next. */
  readonly number?: number;
  readonly pendingDeliveryId: (endpointId: string) => string;
}

/** Why a replay is refused, by the code of its Problem. */
type ReplayRefusal =
  | 'not_found'
  | 'delivery_not_replayable'
  | 'endpoint_inactive'
  | 'delivery_in_progress';

const noBytes = Buffer.from('{}');

/** The rows of the delivery engine. Cancels pending deliveries that their endpoints no longer accept. */
class MemoryCancellation {
  readonly endpoints = new Map<string, EndpointRow>();
  readonly pendingDeliveries = new Map<string, PendingDeliveryRow>();
  /** The ends of all known leases, by token. */
  readonly leases = new Map<number, number>();
  readonly deliveries = new Map<string, DeliveryRow>();
  readonly events = new Map<string, ClaimedEvent>();
  /** Endpoints with a notice, once per disabling. */
  readonly notices: string[] = [];
  /** The endpoints with a notice that they fail, or that they have recovered. */
  readonly healthNotices: string[] = [];
  protected readonly options: MemoryOptions;
  protected wakeups: Wakeup[] = [];

  constructor(options: MemoryOptions) {
    this.options = options;
  }

  /** Returns the wake-ups since the last call, which a process sends after its commit. */
  takeWakeups(): readonly Wakeup[] {
    const enqueued = this.wakeups;
    this.wakeups = [];
    return enqueued;
  }

  nextPendingCancellation(after: string): PendingCancellation | undefined {
    const pendingCancellations = [...this.endpoints.values()]
      .filter(({ cancellingSince }) => cancellingSince !== null)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const next = pendingCancellations.find(({ id }) => id > after) ?? pendingCancellations[0];
    return next && { endpointId: next.id, since: new Date(next.cancellingSince ?? 0) };
  }

  cancelFromBacklog({ endpointId, since }: PendingCancellation, after: string) {
    const endpoint = this.endpoint(endpointId);
    const pendingDeliveries = this.where(
      (pending) => pending.endpointId === endpointId && pending.eventId > after,
    );
    const eventIds = pendingDeliveries.map(({ eventId }) => eventId).sort();
    const bound = eventIds[Math.max(1, this.options.cancelAtOnce()) - 1];
    const toCancel = pendingDeliveries.filter(
      (pending) =>
        pending.eventId <= (bound ?? '~') &&
        this.mayCancel(pending) &&
        this.isPendingCancellation(endpoint, pending),
    );

    const cancelled = this.end(toCancel);

    if (bound === undefined && endpoint.cancellingSince === since.getTime()) {
      Object.assign(endpoint, { cancellingSince: null, cancelBefore: null, cancelTypes: null });
    }

    return { cancelled, next: bound };
  }

  /** Whether this pending delivery is in the cancellation backlog. */
  protected isPendingCancellation(endpoint: EndpointRow, pending: PendingDeliveryRow): boolean {
    const { cancelBefore, cancelTypes } = endpoint;
    const { createdAt, eventType, test } = pending;
    const typed = !test && createdAt <= (cancelTypes?.[eventType] ?? -Infinity);
    return !matchesEndpoint(endpoint, pending) || createdAt <= (cancelBefore ?? -Infinity) || typed;
  }

  /** Whether cancelling may end this pending delivery. */
  protected mayCancel({ leaseToken }: PendingDeliveryRow): boolean {
    return leaseToken === null;
  }

  /** Whether a pending delivery waits until those of its subject before it have ended. */
  protected waitsForTurn({ dueAt }: PendingDeliveryRow): boolean {
    return dueAt === Infinity;
  }

  /** Whether a pending delivery keeps the others of its subject waiting. */
  protected holdsSubject(pending: PendingDeliveryRow): boolean {
    return !this.waitsForTurn(pending);
  }

  /** Returns the pending deliveries whose turn it is, of those that wait. */
  protected next(waiting: readonly PendingDeliveryRow[]): PendingDeliveryRow[] {
    return [...waiting].sort((one, other) => one.subjectNumber - other.subjectNumber).slice(0, 1);
  }

  /** Makes the next pending delivery of each subject ready. @returns how many became ready */
  advanceSubjects(subjects: readonly MemorySubject[]): number {
    let advanced = 0;

    for (const { endpointId, subjectKey } of subjects) {
      const ofSubject = this.where(
        (pending) => pending.endpointId === endpointId && pending.subjectKey === subjectKey,
      );
      if (ofSubject.some((pending) => this.holdsSubject(pending))) continue;

      const waiting = ofSubject.filter((pending) => this.waitsForTurn(pending));
      for (const pending of this.next(waiting)) {
        Object.assign(pending, { ready: true, dueAt: this.options.now() });
        advanced += 1;
      }
    }

    if (advanced > 0) this.wakeups.push({ kind: 'due' });
    return advanced;
  }

  /** Does as a poll: advances all subjects, and makes ready what waits at endpoints without order. */
  advanceWaiting(): number {
    const waiting = this.where((pending) => this.waitsForTurn(pending));
    const unordered = waiting.filter((pending) => this.isReleased(pending));

    for (const pending of unordered) {
      const released = { ready: true, subjectKey: null, subjectNumber: 0 };
      Object.assign(pending, { ...released, dueAt: this.options.now() });
    }

    if (unordered.length > 0) this.wakeups.push({ kind: 'due' });
    return unordered.length + this.advanceSubjects(subjectsOf(waiting));
  }

  /** Whether a pending delivery waits no longer, because the order of its endpoint was turned off. */
  protected isReleased({ endpointId }: PendingDeliveryRow): boolean {
    return !this.endpoint(endpointId).ordered;
  }

  /** Gives each change of an endpoint its own time. */
  protected touch(endpoint: EndpointRow): void {
    endpoint.updatedAt = Math.max(this.options.now(), endpoint.updatedAt + 1);
  }

  /** Cancels what these endpoints no longer accept, up to the limit; the rest goes to the backlog. */
  protected cancelPendingDeliveries(
    endpointIds: readonly string[],
    types?: readonly string[],
  ): void {
    const unwanted = this.where(
      (pending) =>
        endpointIds.includes(pending.endpointId) &&
        this.mayCancel(pending) &&
        !matchesEndpoint(this.endpoint(pending.endpointId), pending),
    ).sort((one, other) => (one.eventId < other.eventId ? -1 : 1));
    const atOnce = this.options.cancelAtOnce();
    this.end(unwanted.slice(0, atOnce));
    if (unwanted.length > atOnce)
      for (const id of endpointIds) this.enqueue(this.endpoint(id), types);
  }

  /** Adds an endpoint to the cancellation backlog; its deliveries are claimed only after that is worked off. */
  protected enqueue(endpoint: EndpointRow, types?: readonly string[]): void {
    const { updatedAt, cancelTypes } = endpoint;
    endpoint.cancellingSince = updatedAt;
    if (!types) endpoint.cancelBefore = updatedAt;
    const enqueued = Object.fromEntries((types ?? []).map((type) => [type, updatedAt]));
    endpoint.cancelTypes = types ? { ...cancelTypes, ...enqueued } : null;
  }

  /** Ends pending deliveries; their last failed records are abandoned. @returns how many */
  protected end(toCancel: readonly PendingDeliveryRow[]): number {
    for (const pending of toCancel) {
      this.pendingDeliveries.delete(pending.id);
      const last = this.deliveries.get(pending.lastDeliveryId ?? '');
      if (last?.status === 'failed') last.status = 'abandoned';
    }
    return toCancel.length;
  }

  protected where(wanted: (pending: PendingDeliveryRow) => boolean): PendingDeliveryRow[] {
    const matching: PendingDeliveryRow[] = [];
    for (const pending of this.pendingDeliveries.values())
      if (wanted(pending)) matching.push(pending);
    return matching;
  }

  protected endpoint(id: string): EndpointRow {
    const endpoint = this.endpoints.get(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    return endpoint;
  }
}

/** A subject whose deliveries an endpoint gets one at a time. */
export interface MemorySubject {
  readonly endpointId: string;
  readonly subjectKey: string;
}

/** Returns the subjects of those that have one. */
export function subjectsOf(
  rows: readonly Pick<PendingDeliveryRow, 'endpointId' | 'subjectKey'>[],
): MemorySubject[] {
  return rows.flatMap(({ endpointId, subjectKey }) =>
    subjectKey === null ? [] : { endpointId, subjectKey },
  );
}

/** The rows of the delivery engine, and the operations of owners and publishers on them. */
export class MemoryTables extends MemoryCancellation {
  #number = 0;

  /** Takes the number of an event, by which those of a subject are ordered. */
  nextNumber(): number {
    return ++this.#number;
  }

  /** Turns the order of an endpoint on or off. */
  setOrdered(id: string, ordered: boolean): void {
    this.endpoint(id).ordered = ordered;
  }

  /** Ends a pending delivery that is not claimed, and lets the next of its subject go. */
  giveUp(id: string): boolean {
    const pending = this.pendingDeliveries.get(id);
    if (!pending || !this.mayCancel(pending)) return false;
    this.end([pending]);
    this.advanceSubjects(subjectsOf([pending]));
    return true;
  }

  addEndpoint(id: string, eventTypes: readonly string[], accountId = 'acc_1'): void {
    this.endpoints.set(id, {
      id,
      accountId,
      url: 'https://shop.example/hook',
      active: true,
      deleted: false,
      eventTypes,
      disabledReason: null,
      failingSince: null,
      failureCount: 0,
      warnings: 0,
      cancellingSince: null,
      cancelBefore: null,
      cancelTypes: null,
      updatedAt: this.options.now(),
      secrets: [{ keyId: 'k1', sealed: noBytes, endsAt: Infinity }],
      ordered: false,
    });
  }

  /** Publishes an event. @returns its new pending deliveries; those with a subject wait for their turn */
  publish({
    id,
    type,
    test,
    pendingDeliveryId,
    subject = 's',
    number = this.nextNumber(),
  }: MemoryEvent): PendingDeliveryRow[] {
    this.events.set(id, { id, type, version: 'v1', body: noBytes });

    const subscribers = [...this.endpoints.values()].filter((endpoint) =>
      matchesEndpoint(endpoint, { test: false, eventType: type }),
    );
    const pendingDeliveries = subscribers.map((endpoint) =>
      this.open(
        { id: pendingDeliveryId(endpoint.id), endpointId: endpoint.id, eventId: id },
        type,
        test,
      ),
    );

    for (const pending of pendingDeliveries) {
      if (test || !this.endpoint(pending.endpointId).ordered) continue;
      const place = { subjectKey: subject, subjectNumber: number };
      Object.assign(pending, { ...place, ready: false, dueAt: Infinity });
    }

    this.wakeups.push({ kind: 'due' });

    return pendingDeliveries;
  }

  /** Changes an endpoint; undefined leaves a field as it is. */
  updateEndpoint(
    id: string,
    { active, eventTypes, url }: Partial<Pick<EndpointRow, 'active' | 'eventTypes' | 'url'>>,
  ): void {
    const endpoint = this.endpoint(id);
    if (endpoint.deleted) return;

    const reenabled = active === true && !endpoint.active;
    if (reenabled) endpoint.disabledReason = null;

    if (reenabled || (url !== undefined && url !== endpoint.url)) {
      Object.assign(endpoint, { failingSince: null, failureCount: 0, warnings: 0 });
    }

    const before = endpoint.eventTypes;
    endpoint.active = active ?? endpoint.active;
    endpoint.eventTypes = eventTypes ?? before;
    endpoint.url = url ?? endpoint.url;
    this.touch(endpoint);

    const unsubscribed = before.filter((type) => !endpoint.eventTypes.includes(type));
    if (!endpoint.active) this.cancelPendingDeliveries([id]);
    else if (unsubscribed.length > 0) this.cancelPendingDeliveries([id], unsubscribed);
  }

  deleteEndpoint(id: string): void {
    const endpoint = this.endpoint(id);
    if (endpoint.deleted) return;
    Object.assign(endpoint, { active: false, deleted: true, secrets: [] });
    this.touch(endpoint);
    this.cancelPendingDeliveries([id]);
  }

  rotateSecret(id: string): void {
    const endpoint = this.endpoint(id);
    if (endpoint.deleted) return;
    const now = this.options.now();
    const older = endpoint.secrets
      .map((secret) => ({ ...secret, endsAt: Math.min(secret.endsAt, now + rotationOverlapMs) }))
      .filter(({ endsAt }) => endsAt > now);
    endpoint.secrets = [{ keyId: 'k1', sealed: noBytes, endsAt: Infinity }, ...older].slice(
      0,
      maxOldSecrets + 1,
    );
  }

  /** Replays a delivery. @param pendingDeliveryId names the pending delivery of the replay */
  replay(deliveryId: string, pendingDeliveryId: string): PendingDeliveryRow | ReplayRefusal {
    const source = this.deliveries.get(deliveryId);
    if (!source) return 'not_found';

    const { endpointId, eventId, eventType, test } = source;
    const endpoint = this.endpoint(endpointId);
    const subscribed = test || endpoint.eventTypes.includes(eventType);
    if (endpoint.deleted || !subscribed) return 'delivery_not_replayable';
    if (!endpoint.active) return 'endpoint_inactive';

    const inProgress = this.where(
      (pending) =>
        pending.endpointId === endpointId &&
        pending.eventId === eventId &&
        !pending.deadLettered &&
        (pending.leaseToken !== null || (pending.replayedFrom !== null && pending.attempt === 1)),
    );
    if (inProgress.length > 0) return 'delivery_in_progress';

    this.wakeups.push({ kind: 'replay' });

    return this.open({ id: pendingDeliveryId, endpointId, eventId }, eventType, test, deliveryId);
  }

  protected open(
    ids: Pick<PendingDeliveryRow, 'id' | 'endpointId' | 'eventId'>,
    eventType: string,
    test: boolean,
    replayedFrom: string | null = null,
  ): PendingDeliveryRow {
    const maxAttempts = test ? 1 : this.options.policy.delaysMs.length + 1;
    const pending = newPendingDelivery({ ...ids, eventType, test, replayedFrom, maxAttempts });
    pending.createdAt = pending.dueAt = this.options.now();
    this.pendingDeliveries.set(pending.id, pending);
    return pending;
  }
}

/** A row of `endpoint`, as far as deliveries depend on it; times in milliseconds. */
export interface EndpointRow {
  readonly id: string;
  readonly accountId: string;
  url: string;
  active: boolean;
  deleted: boolean;
  eventTypes: readonly string[];
  disabledReason: DisabledReason | null;
  failingSince: number | null;
  failureCount: number;
  warnings: number;
  updatedAt: number;
  /** The change behind the cancellation backlog: `cancelling_since` and the columns after it. */
  cancellingSince: number | null;
  cancelBefore: number | null;
  cancelTypes: Readonly<Record<string, number>> | null;
  /** Newest first. */
  secrets: readonly (SealedSecret & { readonly endsAt: number })[];
  /** Whether it gets the events of a subject one at a time. */
  ordered: boolean;
}

/** A row of `pending_delivery`. */
export interface PendingDeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly maxAttempts: number;
  readonly test: boolean;
  readonly replayedFrom: string | null;
  createdAt: number;
  lane: Lane;
  ready: boolean;
  dueAt: number;
  attempt: number;
  leaseToken: number | null;
  lastDeliveryId: string | null;
  interruptions: number;
  deadLettered: boolean;
  /** The subject whose deliveries go one at a time; null without order. */
  subjectKey: string | null;
  /** Its place in the order of its subject. */
  subjectNumber: number;
}

/** A row of `delivery`. */
export interface DeliveryRow {
  readonly id: string;
  readonly pendingDeliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly test: boolean;
  readonly replayedFrom: string | null;
  readonly attempt: number;
  readonly maxAttempts: number;
  status: DeliveryStatus;
}

/** Returns a pending delivery that is due at once. */
function newPendingDelivery(
  values: Pick<
    PendingDeliveryRow,
    'id' | 'endpointId' | 'eventId' | 'eventType' | 'maxAttempts' | 'test' | 'replayedFrom'
  >,
): PendingDeliveryRow {
  const { id, endpointId, eventId, eventType, maxAttempts, test, replayedFrom } = values;
  return {
    id,
    endpointId,
    eventId,
    eventType,
    maxAttempts,
    test,
    replayedFrom,
    lane: replayedFrom === null ? 'live' : 'replay',
    ready: true,
    createdAt: 0,
    dueAt: 0,
    attempt: 1,
    leaseToken: null,
    lastDeliveryId: null,
    interruptions: 0,
    deadLettered: false,
    subjectKey: null,
    subjectNumber: 0,
  };
}

/** Returns the record of an attempt under this claim. */
export function deliveryOf(claim: SentClaim, id: string, status: DeliveryStatus): DeliveryRow {
  const { pendingDeliveryId, endpointId, event, test, replayedFrom, attempt, maxAttempts } = claim;
  return {
    id,
    pendingDeliveryId,
    endpointId,
    eventId: event.id,
    eventType: event.type,
    test,
    replayedFrom,
    attempt,
    maxAttempts,
    status,
  };
}

/** Whether the endpoint accepts this pending delivery; a test event needs no subscription. */
export function matchesEndpoint(
  { active, deleted, eventTypes }: EndpointRow,
  { test, eventType }: Pick<PendingDeliveryRow, 'test' | 'eventType'>,
): boolean {
  return active && !deleted && (test || eventTypes.includes(eventType));
}

/** The options of a {@link MemoryCancellation}. */
export interface MemoryOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  /** Returns the most that one transaction cancels; the rest goes to the cancellation backlog. */
  readonly cancelAtOnce: () => number;
}
