import { maxOldSecrets, overlapMs } from '../../src/domain/endpoint/secret.js';
import { MemoryCancelling } from './memory-cancelling.js';
import { type ChainRow, type EndpointRow, openChain, takesChain } from './rows.js';

/** An event to publish; its chains are named by `chainId`, once for each endpoint. */
export interface MemoryEvent {
  readonly id: string;
  readonly type: string;
  readonly test: boolean;
  readonly chainId: (endpointId: string) => string;
}

/** Why a replay is refused, by the code of its Problem. */
export type ReplayRefusal =
  'not_found' | 'delivery_not_replayable' | 'endpoint_inactive' | 'delivery_in_progress';

const noBytes = Buffer.from('{}');

/** Accounts of what is owed to whom, and what their owners and publishers may do with them. */
export class MemoryTables extends MemoryCancelling {
  addEndpoint(id: string, eventTypes: readonly string[], accountId = 'acc_1'): void {
    this.endpoints.set(id, {
      ...{
        id,
        accountId,
        url: 'https://shop.example/hook',
        active: true,
        deleted: false,
        eventTypes,
      },
      ...{ disabledReason: null, failingSince: null, failureCount: 0 },
      ...{ cancellingSince: null, cancelBefore: null, cancelTypes: null },
      updatedAt: this.options.now(),
      secrets: [{ keyId: 'k1', sealed: noBytes, endsAt: Infinity }],
    });
  }

  /** @returns the chains that were made */
  publish({ id, type, test, chainId }: MemoryEvent): ChainRow[] {
    this.events.set(id, { id, type, version: 'v1', body: noBytes });
    const takers = [...this.endpoints.values()].filter((endpoint) =>
      takesChain(endpoint, { test: false, eventType: type }),
    );
    const chains = takers.map((endpoint) =>
      this.open({ id: chainId(endpoint.id), endpointId: endpoint.id, eventId: id }, type, test),
    );
    this.wakeups.push({ kind: 'due' });
    return chains;
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
      Object.assign(endpoint, { failingSince: null, failureCount: 0 });
    }
    const before = endpoint.eventTypes;
    endpoint.active = active ?? endpoint.active;
    endpoint.eventTypes = eventTypes ?? before;
    endpoint.url = url ?? endpoint.url;
    this.touch(endpoint);
    const unsubscribed = before.filter((type) => !endpoint.eventTypes.includes(type));
    if (!endpoint.active) this.cancelChains([id]);
    else if (unsubscribed.length > 0) this.cancelChains([id], unsubscribed);
  }

  deleteEndpoint(id: string): void {
    const endpoint = this.endpoint(id);
    if (endpoint.deleted) return;
    Object.assign(endpoint, { active: false, deleted: true, secrets: [] });
    this.touch(endpoint);
    this.cancelChains([id]);
  }

  rotateSecret(id: string): void {
    const endpoint = this.endpoint(id);
    if (endpoint.deleted) return;
    const now = this.options.now();
    const older = endpoint.secrets
      .map((secret) => ({ ...secret, endsAt: Math.min(secret.endsAt, now + overlapMs) }))
      .filter(({ endsAt }) => endsAt > now);
    endpoint.secrets = [{ keyId: 'k1', sealed: noBytes, endsAt: Infinity }, ...older].slice(
      0,
      maxOldSecrets + 1,
    );
  }

  /** @param chainId names the chain of the replay */
  replay(deliveryId: string, chainId: string): ChainRow | ReplayRefusal {
    const source = this.deliveries.get(deliveryId);
    if (!source) return 'not_found';
    const { endpointId, eventId, eventType, test } = source;
    const endpoint = this.endpoint(endpointId);
    const subscribed = test || endpoint.eventTypes.includes(eventType);
    if (endpoint.deleted || !subscribed) return 'delivery_not_replayable';
    if (!endpoint.active) return 'endpoint_inactive';
    const inProgress = this.where(
      (chain) =>
        chain.endpointId === endpointId &&
        chain.eventId === eventId &&
        !chain.parked &&
        (chain.leaseToken !== null || (chain.replayedFrom !== null && chain.attempt === 1)),
    );
    if (inProgress.length > 0) return 'delivery_in_progress';
    this.wakeups.push({ kind: 'replay' });
    return this.open({ id: chainId, endpointId, eventId }, eventType, test, deliveryId);
  }

  protected open(
    ids: Pick<ChainRow, 'id' | 'endpointId' | 'eventId'>,
    eventType: string,
    test: boolean,
    replayedFrom: string | null = null,
  ): ChainRow {
    const maxAttempts = test ? 1 : this.options.policy.delaysMs.length + 1;
    const chain = openChain({ ...ids, eventType, test, replayedFrom, maxAttempts });
    chain.createdAt = chain.dueAt = this.options.now();
    this.chains.set(chain.id, chain);
    return chain;
  }
}
