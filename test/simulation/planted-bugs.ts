import type { Claim, Room } from '../../src/domain/delivery/claim.js';
import { settlementOf } from '../../src/domain/delivery/settlement.js';
import type { Wakeup } from '../../src/domain/wakeup.js';
import { leaseTimes } from '../../workers/lease-times.js';
import { Leases } from '../../workers/leases.js';
import { UnheardClaims } from '../../workers/unheard-claims.js';
import { MemoryStore } from './memory-store.js';
import { type Parts, soundParts, withStore } from './parts.js';
import { bugsOfOwing } from './bugs-of-owing.js';
import type { ChainRow } from './rows.js';

/** Bugs as people make them, by what they are; the simulation has to notice each. */
export const plantedBugs: Readonly<Record<string, Parts>> = {
  'a settlement that does not compare the token': withStore(
    class extends MemoryStore {
      protected override holds = (chain: ChainRow | undefined) => chain !== undefined;
    },
  ),
  'a sweep that forgets ended leases': withStore(
    class extends MemoryStore {
      protected override hasEnded = () => false;
    },
  ),
  'a sweep that takes leases that have not ended': withStore(
    class extends MemoryStore {
      protected override hasEnded(token: number) {
        return (this.leases.get(token) ?? Infinity) <= this.options.now() + 3_000;
      }
    },
  ),
  'a claim of what is claimed already': withStore(
    class extends MemoryStore {
      protected override isFree({ ready }: ChainRow) {
        return ready;
      }
    },
  ),
  'a retry that stays ready': withStore(
    class extends MemoryStore {
      override settle(...args: Parameters<MemoryStore['settle']>) {
        const result = super.settle(...args);
        const goesOn = result.settled.filter(({ dueAt }) => dueAt !== null);
        for (const { ended } of goesOn) {
          Object.assign(this.chains.get(ended.claim.chainId) ?? {}, { ready: true });
        }
        return result;
      }
    },
  ),
  'one attempt more than the budget': withStore(
    class extends MemoryStore {
      protected override decide: typeof settlementOf = (ended, ...rest) => {
        const claim = { ...ended.claim, maxAttempts: ended.claim.maxAttempts + 1 };
        return { ...settlementOf({ ...ended, claim }, ...rest), ended };
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
      protected override decide: typeof settlementOf = (ended, ...rest) => {
        const { outcome } = ended;
        if (outcome.kind !== 'rejected') return settlementOf(ended, ...rest);
        const deaf = { kind: outcome.kind, status: outcome.status } as const;
        return { ...settlementOf({ ...ended, outcome: deaf }, ...rest), ended };
      };
    },
  ),
  'a claim without the cap of an endpoint': withStore(
    class extends MemoryStore {
      protected override roomAt = (_endpointId: string, { slots }: Room) => slots;
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
  'a release that loses the chain': withStore(
    class extends MemoryStore {
      override release(claims: readonly Claim[]) {
        for (const { chainId } of claims) this.chains.delete(chainId);
      }
    },
  ),
  'a release of what somebody else has claimed since': withStore(
    class extends MemoryStore {
      override release(claims: readonly Claim[]) {
        const current = claims.map((claim) => {
          const token = this.chains.get(claim.chainId)?.leaseToken ?? claim.token;
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
  'innocent chains parked as soon as they are to run alone': withStore(
    class extends MemoryStore {
      override promote(endLeases?: boolean) {
        const promoted = super.promote(endLeases);
        const chains = [...this.chains.values()].filter(
          ({ lane, parked }) => lane === 'alone' && !parked,
        );
        for (const chain of chains) Object.assign(chain, { parked: true, ready: false });
        return { ...promoted, parked: [...promoted.parked, ...chains.map(({ id }) => id)] };
      }
    },
  ),
  'what runs alone begins before the one before it is recorded': {
    ...soundParts,
    aloneWaits: false,
  },
  'claims that may come back late': {
    ...soundParts,
    times: (timeoutMs) => ({ ...leaseTimes(timeoutMs), latestClaimMs: Infinity }),
  },
  'a lease that is forgotten with the first of its claims': {
    ...soundParts,
    leases: (clock) =>
      new (class extends Leases {
        override ended(claims: Parameters<Leases['ended']>[0]) {
          for (const claim of claims)
            for (let times = 0; times < 50; times += 1) super.ended([claim]);
        }
      })(clock),
  },
  'claims that nobody heard of left to the end of their lease': {
    ...soundParts,
    unheard: (options) => new UnheardClaims({ ...options, mayHaveClaimed: () => false }),
  },
  'claims that nobody heard of looked for once': {
    ...soundParts,
    unheard: (options) => new UnheardClaims({ ...options, leaseMs: 0 }),
  },
  'a lease that is forgotten while its claim is not given back': withStore(
    class extends MemoryStore {
      override releaseUnheard(tokens: readonly number[]) {
        this.forgetLeases(tokens);
        return [];
      }
    },
  ),
  'leases that nobody extends': withStore(
    class extends MemoryStore {
      override extendLeases(tokens: readonly number[]) {
        return tokens.filter((token) => this.leases.has(token));
      }
    },
  ),
  'leases that are ended as soon as the database is back': {
    ...soundParts,
    times: (timeoutMs) => ({ ...leaseTimes(timeoutMs), graceMs: 0 }),
  },
  ...bugsOfOwing,
  'a lease shorter than an attempt': {
    ...soundParts,
    times: (timeoutMs) => ({ ...leaseTimes(timeoutMs), leaseMs: timeoutMs / 2 }),
  },
};
