import type { PendingCancellation } from '../../src/domain/delivery/cancel.js';
import type { ClaimedEvent } from '../../src/domain/delivery/claim.js';
import type { RetryPolicy } from '../../src/domain/rules.js';
import type { Wakeup } from '../../src/domain/wakeup.js';
import {
  type PendingDeliveryRow,
  type DeliveryRow,
  type EndpointRow,
  matchesEndpoint,
} from './rows.js';

/** What a {@link MemoryCancellation} decides with. */
export interface MemoryOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  /** The most that one transaction cancels; the rest goes to the cancellation backlog. */
  readonly cancelAtOnce: () => number;
}

/** The rows of the delivery engine, and how pending deliveries are cancelled that an endpoint takes no longer. */
export class MemoryCancellation {
  readonly endpoints = new Map<string, EndpointRow>();
  readonly pendingDeliveries = new Map<string, PendingDeliveryRow>();
  /** The ends of all known leases, by token. */
  readonly leases = new Map<number, number>();
  readonly deliveries = new Map<string, DeliveryRow>();
  readonly events = new Map<string, ClaimedEvent>();
  /** Endpoints with a notice, once per disabling. */
  readonly notices: string[] = [];
  /** The endpoints of notices that one fails or has recovered. */
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

  /** True when this pending delivery is in the cancellation backlog. */
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

  /** Every change of an endpoint has a moment of its own. */
  protected touch(endpoint: EndpointRow): void {
    endpoint.updatedAt = Math.max(this.options.now(), endpoint.updatedAt + 1);
  }

  /** Cancels what these endpoints no longer take, up to the limit; the rest goes to the backlog. */
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

  /** The cancellation backlog of an endpoint is worked off before its deliveries are claimed. */
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
    const found: PendingDeliveryRow[] = [];
    for (const pending of this.pendingDeliveries.values()) if (wanted(pending)) found.push(pending);
    return found;
  }

  protected endpoint(id: string): EndpointRow {
    const endpoint = this.endpoints.get(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    return endpoint;
  }
}
