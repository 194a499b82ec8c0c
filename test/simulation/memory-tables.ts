import { maxOldSecrets, rotationOverlapMs } from '../../src/domain/endpoint/secrets.js';
import { MemoryCancellation } from './memory-cancellation.js';
import {
  type PendingDeliveryRow,
  type EndpointRow,
  newPendingDelivery,
  matchesEndpoint,
} from './rows.js';

/** An event to publish; its pending deliveries are named by `pendingDeliveryId`, once for each endpoint. */
export interface MemoryEvent {
  readonly id: string;
  readonly type: string;
  readonly test: boolean;
  readonly pendingDeliveryId: (endpointId: string) => string;
}

/** Why a replay is refused, by the code of its Problem. */
export type ReplayRefusal =
  | 'not_found'
  | 'delivery_not_replayable'
  | 'endpoint_inactive'
  | 'delivery_in_progress';

const noBytes = Buffer.from('{}');

/** Accounts of what is owed to whom, and what their owners and publishers may do with them. */
export class MemoryTables extends MemoryCancellation {
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
    });
  }

  /** @returns the pending deliveries that were made */
  publish({ id, type, test, pendingDeliveryId }: MemoryEvent): PendingDeliveryRow[] {
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

    this.wakeups.push({ kind: 'due' });

    return pendingDeliveries;
  }

  /** Undefined leaves a field as it is. */
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

  /** @param pendingDeliveryId names the pending delivery of the replay */
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
