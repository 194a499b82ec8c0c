import type { Claim, Capacity } from '../../src/domain/delivery/claim.js';

/** What an account may have of the slots of a process. */
export interface AccountLimits {
  /** Slots of one account, those of endpoints that answer promptly not counted. Defaults to all. */
  readonly perAccount?: number;
  /** Slots that only accounts get which hold none. Defaults to 0. */
  readonly reserved?: number;
}

/** Whose slot is held. */
export type Claimed = Pick<Claim, 'accountId' | 'endpointId'>;

/** What an account's endpoints hold together. */
interface AccountState {
  held: number;
  /** Those of them that began. */
  started: number;
  /** The last claim passed pending deliveries of it over, or may have. */
  full: boolean;
}

/** How many accounts can take of the slots that are kept, at least, one after the other. */
const minAccountsInReserve = 4;

/** The slots of a process by account. */
export class AccountSlots {
  readonly #slots: number;
  readonly #perAccount: number;
  readonly #reserved: number;
  readonly #accounts = new Map<string, AccountState>();
  #started = 0;
  /** Accounts that hold slots of which none began. */
  #accountsNotStarted = 0;

  constructor(slots: number, { perAccount = slots, reserved = 0 }: AccountLimits) {
    this.#slots = slots;
    this.#perAccount = Math.min(perAccount, slots);
    this.#reserved = reserved;
  }

  /** Slots that accounts may still get which hold none. */
  get reservedFree(): number {
    return Math.min(this.#reserved, this.#slots - this.#started);
  }

  /** Whether an attempt of any account may begin. */
  get anyMayStart(): boolean {
    if (this.#started < this.#slots - this.#reserved) return true;
    return this.#started < this.#slots && this.#accountsNotStarted > 0;
  }

  /** Whether an attempt of this account may begin for which it holds a slot. */
  mayStart(accountId: string): boolean {
    if (this.#started < this.#slots - this.#reserved) return true;
    return this.#started < this.#slots && this.#accounts.get(accountId)?.started === 0;
  }

  /** What one claim may bring of accounts that hold so many slots that are slow. */
  capacities(slowInFlight: ReadonlyMap<string, number>) {
    const accounts = new Map<string, number>();
    for (const [id, account] of this.#accounts) {
      const capacity = Math.max(0, this.#perAccount - (slowInFlight.get(id) ?? 0));
      account.full = capacity === 0;
      accounts.set(id, capacity);
    }
    return { perAccount: this.#perAccount, accounts };
  }

  /** What one claim may bring of accounts that hold no slot. */
  reservedCapacity() {
    const accounts = new Map([...this.#accounts.keys()].map((id) => [id, 0]));
    const perAccount = Math.min(
      this.#perAccount,
      Math.ceil(this.reservedFree / minAccountsInReserve),
    );
    return { perAccount, accounts };
  }

  /** Notes which accounts have all that a claim with this room may bring. */
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

  /** Whether an account whose slow endpoints hold so many slots may get more. */
  hasRoom(accountId: string, slowInFlight: ReadonlyMap<string, number>): boolean {
    return (slowInFlight.get(accountId) ?? 0) < this.#perAccount;
  }

  /** Whether claims may have passed over pending deliveries of an account that has room by now. */
  mayHaveSkipped(hasRoom: (accountId: string) => boolean): boolean {
    return [...this.#accounts].some(([id, { full }]) => full && hasRoom(id));
  }

  /** Holds a slot. */
  acquire(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (account) account.held += 1;
    else {
      this.#accounts.set(accountId, { held: 1, started: 0, full: false });
      this.#accountsNotStarted += 1;
    }
  }

  /** Notes that an attempt begins for which a slot is held. */
  started(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    this.#started += 1;
    account.started += 1;
    if (account.started === 1) this.#accountsNotStarted -= 1;
  }

  /**
   * Gives a slot back.
   * @returns whether claims may have passed the account over
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
