import type { ClaimedEvent } from '../../src/domain/delivery/claim.js';
import { maxOldSecrets, overlapMs } from '../../src/domain/endpoint/secret.js';
import type { RetryPolicy } from '../../src/domain/rules.js';
import type { Wakeup } from '../../src/domain/wakeup.js';
import {
  type ChainRow,
  type DeliveryRow,
  type EndpointRow,
  openChain,
  takesChain,
} from './rows.js';

/** What a {@link MemoryTables} decides with. */
export interface MemoryOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly policy: RetryPolicy;
  readonly random: () => number;
}

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
export class MemoryTables {
  readonly endpoints = new Map<string, EndpointRow>();
  readonly chains = new Map<string, ChainRow>();
  /** When the leases that nobody has forgotten end, by their tokens. */
  readonly leases = new Map<number, number>();
  readonly deliveries = new Map<string, DeliveryRow>();
  readonly events = new Map<string, ClaimedEvent>();
  /** Whom a notice is owed for, once for each disabling. */
  readonly notices: string[] = [];
  protected readonly options: MemoryOptions;
  protected wakeups: Wakeup[] = [];

  constructor(options: MemoryOptions) {
    this.options = options;
  }

  /** The wake-ups that are owed since it was last asked: what a process sends after its commit. */
  takeWakeups(): readonly Wakeup[] {
    const owed = this.wakeups;
    this.wakeups = [];
    return owed;
  }

  addEndpoint(id: string, eventTypes: readonly string[]): void {
    this.endpoints.set(id, {
      ...{ id, url: 'https://shop.example/hook', active: true, deleted: false, eventTypes },
      ...{ disabledReason: null, failingSince: null, failureCount: 0 },
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
    const unsubscribed = before.some((type) => !endpoint.eventTypes.includes(type));
    if (!endpoint.active || unsubscribed) this.cancel((chain) => chain.endpointId === id);
  }

  deleteEndpoint(id: string): void {
    const endpoint = this.endpoint(id);
    if (endpoint.deleted) return;
    Object.assign(endpoint, { active: false, deleted: true, secrets: [] });
    this.cancel((chain) => chain.endpointId === id);
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

  /** Whether cancelling may end this chain. */
  protected mayCancel({ leaseToken }: ChainRow): boolean {
    return leaseToken === null;
  }

  protected open(
    ids: Pick<ChainRow, 'id' | 'endpointId' | 'eventId'>,
    eventType: string,
    test: boolean,
    replayedFrom: string | null = null,
  ): ChainRow {
    const maxAttempts = test ? 1 : this.options.policy.delaysMs.length + 1;
    const chain = openChain({ ...ids, eventType, test, replayedFrom, maxAttempts });
    chain.dueAt = this.options.now();
    this.chains.set(chain.id, chain);
    return chain;
  }

  /** Ends chains that nobody sends and their endpoint does not take. */
  protected cancel(concerns: (chain: ChainRow, endpoint: EndpointRow) => boolean): number {
    const doomed = this.where((chain) => {
      const endpoint = this.endpoint(chain.endpointId);
      return this.mayCancel(chain) && !takesChain(endpoint, chain) && concerns(chain, endpoint);
    });
    for (const chain of doomed) {
      this.chains.delete(chain.id);
      const last = this.deliveries.get(chain.lastDeliveryId ?? '');
      if (last?.status === 'failed') last.status = 'abandoned';
    }
    return doomed.length;
  }

  protected where(wanted: (chain: ChainRow) => boolean): ChainRow[] {
    const found: ChainRow[] = [];
    for (const chain of this.chains.values()) if (wanted(chain)) found.push(chain);
    return found;
  }

  protected endpoint(id: string): EndpointRow {
    const endpoint = this.endpoints.get(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    return endpoint;
  }
}
