import type { Claim, Capacity } from '../../src/domain/delivery/claim.js';
import { attemptResultOf } from '../../src/domain/delivery/attempt-result.js';
import { claimToken } from '../../src/domain/delivery/claim-deliveries.js';
import type { Wakeup } from '../../src/domain/transaction/wakeup.js';
import { Leases, UnconfirmedClaims } from '../../workers/delivery/claim-manager.js';
import { leaseTimes } from '../../workers/delivery/lease-times.js';
import { MemoryStore } from './memory-store.js';
import { type Parts, defaultParts, withStore } from './parts.js';
import type { PendingDeliveryRow, EndpointRow } from './memory-tables.js';

/** Bugs of the cancellation backlog. */
const cancellationBugs: Readonly<Record<string, Parts>> = {
  'a cancellation without a backlog for what exceeds the limit': withStore(
    class extends MemoryStore {
      protected override enqueue = () => undefined;
    },
  ),
  'a claim at an endpoint that owes cancellations': withStore(
    class extends MemoryStore {
      protected override mayClaim(endpoint: EndpointRow, pending: PendingDeliveryRow) {
        return super.mayClaim({ ...endpoint, cancellingSince: null }, pending);
      }
    },
  ),
  'an owed cancellation of what was published since': withStore(
    class extends MemoryStore {
      protected override isPendingCancellation = () => true;
    },
  ),
  'an owed cancellation that forgets what its endpoint takes again': withStore(
    class extends MemoryStore {
      protected override isPendingCancellation(endpoint: EndpointRow, pending: PendingDeliveryRow) {
        return super.isPendingCancellation(
          { ...endpoint, cancelBefore: null, cancelTypes: null },
          pending,
        );
      }
    },
  ),
  'owed cancellations that are never over': withStore(
    class extends MemoryStore {
      override cancelFromBacklog(...args: Parameters<MemoryStore['cancelFromBacklog']>) {
        const [{ endpointId, since }, after] = args;
        return super.cancelFromBacklog({ endpointId, since: new Date(since.getTime() + 1) }, after);
      }
    },
  ),
};

/** Bugs of the order of subjects. */
const orderBugs: Readonly<Record<string, Parts>> = {
  'a delivery that goes while an earlier one of its subject awaits a retry': withStore(
    class extends MemoryStore {
      protected override holdsSubject = ({ ready, deadLettered }: PendingDeliveryRow) =>
        ready || deadLettered;
    },
  ),
  'a delivery that goes while an earlier one of its subject is a dead letter': withStore(
    class extends MemoryStore {
      protected override holdsSubject(pending: PendingDeliveryRow) {
        return super.holdsSubject(pending) && !pending.deadLettered;
      }
    },
  ),
  'a subject that goes on with its latest delivery': withStore(
    class extends MemoryStore {
      protected override next(waiting: readonly PendingDeliveryRow[]) {
        return waiting.slice(-1);
      }
    },
  ),
  'a subject that goes on with all that waits': withStore(
    class extends MemoryStore {
      protected override next(waiting: readonly PendingDeliveryRow[]) {
        return [...waiting];
      }
    },
  ),
  'a poll that advances no subject': withStore(
    class extends MemoryStore {
      override advanceWaiting = () => 0;
    },
  ),
  'a poll that makes ready what waits for its turn': withStore(
    class extends MemoryStore {
      protected override isDue(pending: PendingDeliveryRow) {
        return !pending.ready && !pending.deadLettered && this.waitsForTurn(pending)
          ? true
          : super.isDue(pending);
      }
    },
  ),
  'a subject that waits for a result without going on': withStore(
    class extends MemoryStore {
      override advanceSubjects = () => 0;
    },
  ),
  'a delivery that goes on waiting when the order is turned off': withStore(
    class extends MemoryStore {
      protected override isReleased = () => false;
      protected override next(waiting: readonly PendingDeliveryRow[]) {
        return super.next(waiting.filter(({ endpointId }) => this.endpoint(endpointId).ordered));
      }
    },
  ),
};

/** Plausible bugs by their description; the simulation must notice each. */
export const plantedBugs: Readonly<Record<string, Parts>> = {
  'a settlement that does not compare the token': withStore(
    class extends MemoryStore {
      protected override holds = (pending: PendingDeliveryRow | undefined) => pending !== undefined;
    },
  ),
  'a poll that forgets ended leases': withStore(
    class extends MemoryStore {
      protected override hasEnded = () => false;
    },
  ),
  'a poll that takes leases that have not ended': withStore(
    class extends MemoryStore {
      protected override hasEnded(token: number, endedBy: number) {
        return (
          (this.leases.get(token) ?? Infinity) <= Math.min(this.options.now(), endedBy) + 3_000
        );
      }
    },
  ),
  'a poll that takes leases that ended while it waited for a paused database': withStore(
    class extends MemoryStore {
      protected override hasEnded(token: number, endedBy: number) {
        return super.hasEnded(token, endedBy === -Infinity ? endedBy : Infinity);
      }
    },
  ),
  'a claim of what is claimed already': withStore(
    class extends MemoryStore {
      protected override isFree({ ready }: PendingDeliveryRow) {
        return ready;
      }
    },
  ),
  'a retry that stays ready': withStore(
    class extends MemoryStore {
      override recordResults(...args: Parameters<MemoryStore['recordResults']>) {
        const result = super.recordResults(...args);
        const goesOn = result.recorded.filter(({ dueAt }) => dueAt !== null);
        for (const { ended } of goesOn) {
          Object.assign(this.pendingDeliveries.get(ended.claim.pendingDeliveryId) ?? {}, {
            ready: true,
          });
        }
        return result;
      }
    },
  ),
  'one attempt more than the budget': withStore(
    class extends MemoryStore {
      protected override decide: typeof attemptResultOf = (ended, ...rest) => {
        const claim = { ...ended.claim, maxAttempts: ended.claim.maxAttempts + 1 };
        return { ...attemptResultOf({ ...ended, claim }, ...rest), ended };
      };
    },
  ),
  'a 410 that does not disable': withStore(
    class extends MemoryStore {
      protected override healthAfter(...args: Parameters<MemoryStore['healthAfter']>) {
        const change = super.healthAfter(...args);
        if (change?.disable !== 'receiver_gone') return change;
        return { ...change, disable: undefined };
      }
    },
  ),
  'a Retry-After that is not heard': withStore(
    class extends MemoryStore {
      protected override decide: typeof attemptResultOf = (ended, ...rest) => {
        const { outcome } = ended;
        if (outcome.kind !== 'rejected') return attemptResultOf(ended, ...rest);
        const withoutRetryAfter = { kind: outcome.kind, status: outcome.status } as const;
        return { ...attemptResultOf({ ...ended, outcome: withoutRetryAfter }, ...rest), ended };
      };
    },
  ),
  'a claim without the cap of an endpoint': withStore(
    class extends MemoryStore {
      protected override capacityAt = (_endpointId: string, { slots }: Capacity) => slots;
    },
  ),
  'a claim that does not look whether the endpoint is on': withStore(
    class extends MemoryStore {
      protected override mayClaim = () => true;
    },
  ),
  'a cancellation of what is being sent': withStore(
    class extends MemoryStore {
      protected override mayCancel = () => true;
    },
  ),
  'a release that loses the pending delivery': withStore(
    class extends MemoryStore {
      override release(claims: readonly Claim[]) {
        for (const { pendingDeliveryId } of claims)
          this.pendingDeliveries.delete(pendingDeliveryId);
      }
    },
  ),
  'a release of what another worker has claimed since': withStore(
    class extends MemoryStore {
      override release(claims: readonly Claim[]) {
        const current = claims.map((claim) => {
          const token =
            this.pendingDeliveries.get(claim.pendingDeliveryId)?.leaseToken ?? claim.token;
          return { ...claim, token };
        });
        super.release(current);
      }
    },
  ),
  'two notices for one disabling': withStore(
    class extends MemoryStore {
      protected override applyHealth(change: Parameters<MemoryStore['applyHealth']>[0]) {
        super.applyHealth(change);
        if (change.disable) this.notices.push(change.endpointId);
      }
    },
  ),
  'a run of failures that a success does not end': withStore(
    class extends MemoryStore {
      protected override applyHealth(change: Parameters<MemoryStore['applyHealth']>[0]) {
        if (change.health.failureCount > 0) super.applyHealth(change);
      }
    },
  ),
  'no wake-up for retries': withStore(
    class extends MemoryStore {
      override takeWakeups(): readonly Wakeup[] {
        return super.takeWakeups().filter(({ at }) => !at);
      }
    },
  ),
  'innocent pending deliveries dead-lettered as soon as they are to run alone': withStore(
    class extends MemoryStore {
      override promote(endedBy?: number) {
        const promoted = super.promote(endedBy);
        const isolated = this.where(
          ({ lane, deadLettered }) => lane === 'isolated' && !deadLettered,
        );
        for (const pending of isolated)
          Object.assign(pending, { deadLettered: true, ready: false });
        return {
          ...promoted,
          deadLettered: [...promoted.deadLettered, ...isolated.map(({ id }) => id)],
        };
      }
    },
  ),
  'what runs alone begins before the one before it is recorded': {
    ...defaultParts,
    isolationWaits: false,
  },
  'claims that may come back late': {
    ...defaultParts,
    times: (timeoutMs) => ({ ...leaseTimes(timeoutMs), claimTimeoutMs: Infinity }),
  },
  'a lease that is forgotten with the first of its claims': {
    ...defaultParts,
    leases: (clock) =>
      new (class extends Leases {
        override ended(claims: Parameters<Leases['ended']>[0]) {
          for (const claim of claims)
            for (let times = 0; times < 50; times += 1) super.ended([claim]);
        }
      })(clock),
  },
  'claims without an answer that are not released before their lease ends': {
    ...defaultParts,
    unconfirmed: (options) =>
      new (class extends UnconfirmedClaims {
        override claim<Result>(claim: (token: number) => Promise<Result>): Promise<Result> {
          return claim((options.makeToken ?? claimToken)());
        }
      })(options),
  },
  'claims without an answer that are looked for only once': {
    ...defaultParts,
    unconfirmed: (options) => new UnconfirmedClaims({ ...options, leaseMs: 0 }),
  },
  'a lease that is forgotten while its claim is not given back': withStore(
    class extends MemoryStore {
      override releaseUnconfirmed(tokens: readonly number[]) {
        this.deleteLeases(tokens);
        return [];
      }
    },
  ),
  'leases that no process extends': withStore(
    class extends MemoryStore {
      override extendLeases(tokens: readonly number[]) {
        return tokens.filter((token) => this.leases.has(token));
      }
    },
  ),
  'leases that are ended as soon as the database is back': {
    ...defaultParts,
    times: (timeoutMs) => ({ ...leaseTimes(timeoutMs), graceMs: 0 }),
  },
  ...cancellationBugs,
  ...orderBugs,
  'a lease shorter than an attempt': {
    ...defaultParts,
    times: (timeoutMs) => ({ ...leaseTimes(timeoutMs), leaseMs: timeoutMs / 2 }),
  },
};
