import type { EndedAttempt } from '../../src/domain/delivery/attempt.js';
import type { SweptCancellations } from '../../src/domain/delivery/cancel.js';
import type { Claim, ClaimedEvent, Lane, Room } from '../../src/domain/delivery/claim.js';
import type { Promoted } from '../../src/domain/delivery/promote.js';
import type { SettleResult } from '../../src/domain/delivery/settle.js';
import {
  healthChange,
  type HealthChange,
  type SettledEndpoint,
  settlementOf,
  takes,
} from '../../src/domain/delivery/settlement.js';
import { overlapMs } from '../../src/domain/endpoint/secret.js';
import type { RetryPolicy } from '../../src/domain/rules.js';
import type { Wakeup } from '../../src/domain/wakeup.js';
import { type ChainRow, type DeliveryRow, type EndpointRow, takesChain } from './rows.js';

/** What a {@link MemoryStore} decides with. */
export interface MemoryStoreOptions {
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

/**
 * The tables of the delivery engine in memory: each method keeps the promise of the statement or
 * transaction of the same name, whole or not at all, and decides with the service's own functions.
 * `test/integration/domain/delivery/chain-states.test.ts` holds it against PostgreSQL.
 */
export class MemoryStore {
  readonly endpoints = new Map<string, EndpointRow>();
  readonly chains = new Map<string, ChainRow>();
  readonly deliveries = new Map<string, DeliveryRow>();
  readonly events = new Map<string, ClaimedEvent>();
  /** Whom a notice is owed for, once for each disabling. */
  readonly notices: string[] = [];
  protected readonly options: MemoryStoreOptions;
  #wakeups: Wakeup[] = [];

  constructor(options: MemoryStoreOptions) {
    this.options = options;
  }

  /** The wake-ups that are owed since it was last asked: what a process sends after its commit. */
  takeWakeups(): readonly Wakeup[] {
    const owed = this.#wakeups;
    this.#wakeups = [];
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
      this.#open({ id: chainId(endpoint.id), endpointId: endpoint.id, eventId: id }, type, test),
    );
    this.#wakeups.push({ kind: 'due' });
    return chains;
  }

  claim(lane: Lane, after: string, room: Room, leaseMs: number, token: number): Claim[] {
    const walk = [...this.endpoints.keys()].sort();
    const next = walk.findIndex((id) => id > after);
    if (next > 0) walk.push(...walk.splice(0, next));
    const picked = walk.flatMap((endpointId) => {
      const endpoint = this.#endpoint(endpointId);
      return [...this.chains.values()]
        .filter((each) => each.endpointId === endpointId && each.ready && each.lane === lane)
        .filter((each) => takesChain(endpoint, each))
        .sort((one, other) => one.dueAt - other.dueAt)
        .slice(0, this.roomAt(endpointId, room));
    });
    const now = this.options.now();
    return picked.slice(0, room.slots).map((chain) => {
      Object.assign(chain, { ready: false, leaseToken: token, dueAt: now + leaseMs });
      return this.#claimOf(chain, token, now);
    });
  }

  settle(ended: readonly EndedAttempt[]): SettleResult {
    const { policy, random } = this.options;
    const kept = ended.filter(({ claim }) => this.holds(this.chains.get(claim.chainId), claim));
    const changes = [...new Set(kept.map(({ claim }) => claim.endpointId))].flatMap((id) => {
      const own = kept.filter(({ claim }) => claim.endpointId === id);
      return this.healthAfter(this.#settled(id), own) ?? [];
    });
    const disabled = changes.flatMap(({ endpointId, disable }) => (disable ? endpointId : []));
    const settled = kept.map((each) => {
      const { endpointId } = each.claim;
      const taken = !disabled.includes(endpointId) && takes(this.#settled(endpointId), each);
      return this.decide(each, taken, policy, random);
    });
    for (const { ended: each, status, dueAt } of settled) this.#record(each, status, dueAt);
    for (const change of changes) this.applyHealth(change);
    if (disabled.length > 0) this.#cancel((chain) => disabled.includes(chain.endpointId));
    return { settled, disabled };
  }

  release(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const chain = this.chains.get(claim.chainId);
      if (chain?.leaseToken !== claim.token) continue;
      Object.assign(chain, { ready: true, leaseToken: null, dueAt: this.options.now() });
    }
  }

  promote(): Promoted {
    const due = [...this.chains.values()].filter((chain) => this.isDue(chain));
    const interrupted = due.filter(({ leaseToken }) => leaseToken !== null);
    for (const chain of interrupted) chain.interruptions += 1;
    for (const chain of due) Object.assign(chain, { ready: true, leaseToken: null });
    const live = due.filter(({ lane }) => lane === 'live').length;
    return { live, replays: due.length - live, interrupted: interrupted.length };
  }

  sweepCancelled(after: string): SweptCancellations {
    const cancelled = this.#cancel((chain, { active, deleted }) => {
      const dead = !active || deleted;
      return chain.endpointId > after && (dead || chain.ready);
    });
    return { cancelled, next: '' };
  }

  /** Undefined leaves a field as it is. */
  updateEndpoint(
    id: string,
    { active, eventTypes, url }: Partial<Pick<EndpointRow, 'active' | 'eventTypes' | 'url'>>,
  ): void {
    const endpoint = this.#endpoint(id);
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
    if (!endpoint.active || unsubscribed) this.#cancel((chain) => chain.endpointId === id);
  }

  deleteEndpoint(id: string): void {
    const endpoint = this.#endpoint(id);
    if (endpoint.deleted) return;
    Object.assign(endpoint, { active: false, deleted: true, secrets: [] });
    this.#cancel((chain) => chain.endpointId === id);
  }

  rotateSecret(id: string): void {
    const endpoint = this.#endpoint(id);
    if (endpoint.deleted) return;
    const now = this.options.now();
    const older = endpoint.secrets
      .map((secret) => ({ ...secret, endsAt: Math.min(secret.endsAt, now + overlapMs) }))
      .filter(({ endsAt }) => endsAt > now);
    endpoint.secrets = [{ keyId: 'k1', sealed: noBytes, endsAt: Infinity }, ...older];
  }

  /** @param chainId names the chain of the replay */
  replay(deliveryId: string, chainId: string): ChainRow | ReplayRefusal {
    const source = this.deliveries.get(deliveryId);
    if (!source) return 'not_found';
    const { endpointId, eventId, eventType, test } = source;
    const endpoint = this.#endpoint(endpointId);
    const subscribed = test || endpoint.eventTypes.includes(eventType);
    if (endpoint.deleted || !subscribed) return 'delivery_not_replayable';
    if (!endpoint.active) return 'endpoint_inactive';
    const inProgress = [...this.chains.values()].some(
      (chain) =>
        chain.endpointId === endpointId &&
        chain.eventId === eventId &&
        (chain.leaseToken !== null || chain.lane === 'replay'),
    );
    if (inProgress) return 'delivery_in_progress';
    this.#wakeups.push({ kind: 'replay' });
    return this.#open({ id: chainId, endpointId, eventId }, eventType, test, deliveryId);
  }

  /** Whether a claim may still settle its chain. */
  protected holds(chain: ChainRow | undefined, { token }: Claim): boolean {
    return chain?.leaseToken === token;
  }

  /** Whether a chain that nobody may claim yet becomes ready. */
  protected isDue({ ready, dueAt }: ChainRow): boolean {
    return !ready && dueAt <= this.options.now();
  }

  /** How many attempts a process may begin at an endpoint. */
  protected roomAt(endpointId: string, { perEndpoint, inFlight }: Room): number {
    return Math.max(0, perEndpoint - (inFlight.get(endpointId) ?? 0));
  }

  /** Whether cancelling may end this chain. */
  protected mayCancel({ leaseToken }: ChainRow): boolean {
    return leaseToken === null;
  }

  /** Decides what an attempt's record says and when its chain is due again. */
  protected readonly decide: typeof settlementOf = settlementOf;

  /** What an endpoint's attempts say about it. */
  protected healthAfter(
    endpoint: SettledEndpoint,
    attempts: readonly EndedAttempt[],
  ): HealthChange | undefined {
    return healthChange(endpoint, attempts, this.options.policy);
  }

  /** Writes a verdict; one that disables owes a notice. */
  protected applyHealth({ endpointId, health, disable }: HealthChange): void {
    const endpoint = this.#endpoint(endpointId);
    endpoint.failingSince = health.failingSince?.getTime() ?? null;
    endpoint.failureCount = health.failureCount;
    if (disable === undefined) return;
    Object.assign(endpoint, { active: false, disabledReason: disable });
    this.notices.push(endpointId);
  }

  #open(
    ids: Pick<ChainRow, 'id' | 'endpointId' | 'eventId'>,
    eventType: string,
    test: boolean,
    replayedFrom: string | null = null,
  ): ChainRow {
    const chain: ChainRow = {
      ...ids,
      ...{ eventType, test, replayedFrom, attempt: 1, interruptions: 0 },
      maxAttempts: test ? 1 : this.options.policy.delaysMs.length + 1,
      lane: replayedFrom === null ? 'live' : 'replay',
      ...{ ready: true, dueAt: this.options.now(), leaseToken: null, lastDeliveryId: null },
    };
    this.chains.set(chain.id, chain);
    return chain;
  }

  #claimOf(chain: ChainRow, token: number, now: number): Claim {
    const { id: chainId, endpointId, eventId, attempt, maxAttempts, replayedFrom, test } = chain;
    const { url, secrets } = this.#endpoint(endpointId);
    const event = this.events.get(eventId);
    if (!event) throw new Error(`no event ${eventId}`);
    return {
      ...{ chainId, token, accountId: 'acc_1', endpointId, url, event },
      secrets: secrets.filter(({ endsAt }) => endsAt > now),
      ...{ attempt, maxAttempts, replayedFrom, test, claimedAt: new Date(now) },
    };
  }

  #record(
    { claim, deliveryId }: EndedAttempt,
    status: DeliveryRow['status'],
    dueAt: Date | null,
  ): void {
    const { chainId, endpointId, test, replayedFrom, attempt, maxAttempts } = claim;
    this.deliveries.set(deliveryId, {
      ...{ id: deliveryId, chainId, endpointId, test, replayedFrom, attempt, maxAttempts, status },
      ...{ eventId: claim.event.id, eventType: claim.event.type },
    });
    const chain = this.chains.get(chainId);
    if (!dueAt || !chain) {
      this.chains.delete(chainId);
      return;
    }
    Object.assign(chain, { attempt: chain.attempt + 1, lane: 'live', leaseToken: null });
    Object.assign(chain, { interruptions: 0, dueAt: dueAt.getTime(), lastDeliveryId: deliveryId });
    this.#wakeups.push({ kind: 'due', at: new Date(Math.ceil(dueAt.getTime() / 1_000) * 1_000) });
  }

  /** Ends chains that nobody sends and their endpoint does not take. */
  #cancel(concerns: (chain: ChainRow, endpoint: EndpointRow) => boolean): number {
    let cancelled = 0;
    for (const chain of [...this.chains.values()]) {
      const endpoint = this.#endpoint(chain.endpointId);
      if (!this.mayCancel(chain) || takesChain(endpoint, chain)) continue;
      if (!concerns(chain, endpoint)) continue;
      this.chains.delete(chain.id);
      cancelled += 1;
      const last = this.deliveries.get(chain.lastDeliveryId ?? '');
      if (last?.status === 'failed') last.status = 'abandoned';
    }
    return cancelled;
  }

  #settled(id: string): SettledEndpoint {
    const { active, deleted, eventTypes, failingSince, failureCount } = this.#endpoint(id);
    return {
      ...{ id, live: active && !deleted, eventTypes: eventTypes.join(' '), failureCount },
      failingSince: failingSince === null ? null : new Date(failingSince),
    };
  }

  #endpoint(id: string): EndpointRow {
    const endpoint = this.endpoints.get(id);
    if (!endpoint) throw new Error(`no endpoint ${id}`);
    return endpoint;
  }
}
