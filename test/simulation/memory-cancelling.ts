import type { OwingEndpoint } from '../../src/domain/delivery/cancel-owed.js';
import type { ClaimedEvent } from '../../src/domain/delivery/claim.js';
import type { RetryPolicy } from '../../src/domain/rules.js';
import type { Wakeup } from '../../src/domain/wakeup.js';
import { type ChainRow, type DeliveryRow, type EndpointRow, takesChain } from './rows.js';

/** What a {@link MemoryCancelling} decides with. */
export interface MemoryOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  /** Chains that one transaction cancels at most; the rest is owed. */
  readonly cancelAtOnce: () => number;
}

/** The rows of the delivery engine, and how chains are cancelled that an endpoint takes no longer. */
export class MemoryCancelling {
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

  nextOwing(after: string): OwingEndpoint | undefined {
    const owing = [...this.endpoints.values()]
      .filter(({ cancellingSince }) => cancellingSince !== null)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const next = owing.find(({ id }) => id > after) ?? owing[0];
    return next && { endpointId: next.id, since: new Date(next.cancellingSince ?? 0) };
  }

  cancelOwed({ endpointId, since }: OwingEndpoint, after: string) {
    const endpoint = this.endpoint(endpointId);
    const chains = this.where((chain) => chain.endpointId === endpointId && chain.eventId > after);
    const eventIds = chains.map(({ eventId }) => eventId).sort();
    const bound = eventIds[Math.max(1, this.options.cancelAtOnce()) - 1];
    const doomed = chains.filter(
      (chain) =>
        chain.eventId <= (bound ?? '~') && this.mayCancel(chain) && this.isOwed(endpoint, chain),
    );
    const cancelled = this.end(doomed);
    if (bound === undefined && endpoint.cancellingSince === since.getTime()) {
      Object.assign(endpoint, { cancellingSince: null, cancelBefore: null, cancelTypes: null });
    }
    return { cancelled, next: bound };
  }

  /** Whether a change of its endpoint owes the cancellation of this chain. */
  protected isOwed(endpoint: EndpointRow, chain: ChainRow): boolean {
    const { cancelBefore, cancelTypes } = endpoint;
    const { createdAt, eventType, test } = chain;
    const typed = !test && createdAt <= (cancelTypes?.[eventType] ?? -Infinity);
    return !takesChain(endpoint, chain) || createdAt <= (cancelBefore ?? -Infinity) || typed;
  }

  /** Whether cancelling may end this chain. */
  protected mayCancel({ leaseToken }: ChainRow): boolean {
    return leaseToken === null;
  }

  /** Every change of an endpoint has a moment of its own. */
  protected touch(endpoint: EndpointRow): void {
    endpoint.updatedAt = Math.max(this.options.now(), endpoint.updatedAt + 1);
  }

  /** Cancels what these endpoints take no longer, as much as may be at once; owes the rest. */
  protected cancelChains(endpointIds: readonly string[], types?: readonly string[]): void {
    const unwanted = this.where(
      (chain) =>
        endpointIds.includes(chain.endpointId) &&
        this.mayCancel(chain) &&
        !takesChain(this.endpoint(chain.endpointId), chain),
    ).sort((one, other) => (one.eventId < other.eventId ? -1 : 1));
    const atOnce = this.options.cancelAtOnce();
    this.end(unwanted.slice(0, atOnce));
    if (unwanted.length > atOnce) for (const id of endpointIds) this.owe(this.endpoint(id), types);
  }

  /** Chains of an endpoint that owes are cancelled before anything of it is claimed. */
  protected owe(endpoint: EndpointRow, types?: readonly string[]): void {
    const { updatedAt, cancelTypes } = endpoint;
    endpoint.cancellingSince = updatedAt;
    if (!types) endpoint.cancelBefore = updatedAt;
    const owed = Object.fromEntries((types ?? []).map((type) => [type, updatedAt]));
    endpoint.cancelTypes = types ? { ...cancelTypes, ...owed } : null;
  }

  /** Ends chains; their last failed records are abandoned. @returns how many */
  protected end(doomed: readonly ChainRow[]): number {
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
