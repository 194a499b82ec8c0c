import type { Claim, Capacity } from '../../src/domain/delivery/claim.js';

/** Limits of the slots of one account. */
export interface AccountLimits {
  /** Slots per account, without those of fast endpoints. Defaults to all. */
  readonly perAccount?: number;
  /** Slots reserved for accounts that hold none. Defaults to 0. */
  readonly reserved?: number;
}

/** The account and the endpoint that hold a slot. Without a URL, the host has no limit. */
export type Claimed = Pick<Claim, 'accountId' | 'endpointId'> & Partial<Pick<Claim, 'url'>>;

/** The slots that the endpoints of an account hold together. */
interface AccountState {
  held: number;
  /** Slots whose attempts have started. */
  started: number;
  /** The last claim may have skipped pending deliveries of the account. */
  full: boolean;
}

/** At least this many accounts can take reserved slots, one after the other. */
const minAccountsInReserve = 4;

/** The slots of a process by account. */
export class AccountSlots {
  readonly #slots: number;
  readonly #perAccount: number;
  readonly #reserved: number;
  readonly #accounts = new Map<string, AccountState>();
  #started = 0;
  /** Accounts that hold slots, but have no started attempt. */
  #accountsNotStarted = 0;

  constructor(slots: number, { perAccount = slots, reserved = 0 }: AccountLimits) {
    this.#slots = slots;
    this.#perAccount = Math.min(perAccount, slots);
    this.#reserved = reserved;
  }

  /** Free slots for accounts that hold none. */
  get reservedFree(): number {
    return Math.min(this.#reserved, this.#slots - this.#started);
  }

  /** Whether an attempt of any account may start. */
  get anyMayStart(): boolean {
    if (this.#started < this.#slots - this.#reserved) return true;
    return this.#started < this.#slots && this.#accountsNotStarted > 0;
  }

  /** Whether an attempt of this account may start, for which it holds a slot. */
  mayStart(accountId: string): boolean {
    if (this.#started < this.#slots - this.#reserved) return true;
    return this.#started < this.#slots && this.#accounts.get(accountId)?.started === 0;
  }

  /** Capacity of the next claim by account. @param slowInFlight attempts of slow endpoints by account */
  capacities(slowInFlight: ReadonlyMap<string, number>) {
    const accounts = new Map<string, number>();
    for (const [id, account] of this.#accounts) {
      const capacity = Math.max(0, this.#perAccount - (slowInFlight.get(id) ?? 0));
      account.full = capacity === 0;
      accounts.set(id, capacity);
    }
    return { perAccount: this.#perAccount, accounts };
  }

  /** Capacity of the next claim for accounts that hold no slot. */
  reservedCapacity() {
    const accounts = new Map([...this.#accounts.keys()].map((id) => [id, 0]));
    const perAccount = Math.min(
      this.#perAccount,
      Math.ceil(this.reservedFree / minAccountsInReserve),
    );
    return { perAccount, accounts };
  }

  /** Notes the accounts whose capacity a claim used up. */
  claimed(
    claims: readonly Claimed[],
    { slots, perAccount = slots, accounts, fast = [] }: Capacity,
  ): void {
    const listed = new Set(fast.map(({ endpointId }) => endpointId));
    const counts = new Map<string, number>();
    for (const { accountId, endpointId } of claims) {
      if (!listed.has(endpointId)) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    }
    for (const [id, count] of counts) {
      const account = this.#accounts.get(id);
      if (account && count >= (accounts?.get(id) ?? perAccount)) account.full = true;
    }
  }

  /** Whether an account may get more slots. @param slowInFlight attempts of slow endpoints by account */
  hasRoom(accountId: string, slowInFlight: ReadonlyMap<string, number>): boolean {
    return (slowInFlight.get(accountId) ?? 0) < this.#perAccount;
  }

  /** Whether claims may have skipped pending deliveries of an account that has a free slot now. */
  mayHaveSkipped(hasRoom: (accountId: string) => boolean): boolean {
    return [...this.#accounts].some(([id, { full }]) => full && hasRoom(id));
  }

  /** Takes a slot. */
  acquire(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (account) account.held += 1;
    else {
      this.#accounts.set(accountId, { held: 1, started: 0, full: false });
      this.#accountsNotStarted += 1;
    }
  }

  /** Notes that an attempt starts, for which a slot is held. */
  started(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    this.#started += 1;
    account.started += 1;
    if (account.started === 1) this.#accountsNotStarted -= 1;
  }

  /**
   * Releases a slot.
   * @returns whether claims may have skipped the account
   */
  release(accountId: string, wasStarted: boolean): boolean {
    const account = this.#accounts.get(accountId);
    if (!account) return false;
    account.held -= 1;
    if (wasStarted) {
      this.#started -= 1;
      account.started -= 1;
      if (account.started === 0) this.#accountsNotStarted += 1;
    }
    if (account.held === 0) {
      this.#accountsNotStarted -= 1;
      this.#accounts.delete(accountId);
    }
    return account.full;
  }
}
