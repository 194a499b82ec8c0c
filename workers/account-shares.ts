import type { Claim, Room } from '../src/domain/delivery/claim.js';

/** What an account may have of the slots of a process. */
export interface AccountLimits {
  /** Slots of one account, those of endpoints that answer promptly not counted. Defaults to all. */
  readonly perAccount?: number;
  /** Slots that only accounts get which hold none. Defaults to 0. */
  readonly kept?: number;
}

/** Whose slot is held. */
export type Claimed = Pick<Claim, 'accountId' | 'endpointId'>;

/** What an account's endpoints hold together. */
interface AccountShare {
  held: number;
  /** Those of them that began. */
  asked: number;
  /** The last claim passed chains of it over, or may have. */
  full: boolean;
}

/** How many accounts can take of the slots that are kept, at least, one after the other. */
const keptTakers = 4;

/** The slots of a process by account. */
export class AccountShares {
  readonly #slots: number;
  readonly #perAccount: number;
  readonly #kept: number;
  readonly #accounts = new Map<string, AccountShare>();
  #asked = 0;
  /** Accounts that hold slots of which none began. */
  #unasked = 0;

  constructor(slots: number, { perAccount = slots, kept = 0 }: AccountLimits) {
    this.#slots = slots;
    this.#perAccount = Math.min(perAccount, slots);
    this.#kept = kept;
  }

  /** Slots that accounts may still get which hold none. */
  get keptFree(): number {
    return Math.min(this.#kept, this.#slots - this.#asked);
  }

  /** Whether an attempt of any account may begin. */
  get anyMayBegin(): boolean {
    if (this.#asked < this.#slots - this.#kept) return true;
    return this.#asked < this.#slots && this.#unasked > 0;
  }

  /** Whether an attempt of this account may begin for which it holds a slot. */
  mayBegin(accountId: string): boolean {
    if (this.#asked < this.#slots - this.#kept) return true;
    return this.#asked < this.#slots && this.#accounts.get(accountId)?.asked === 0;
  }

  /** What one claim may bring of accounts that hold so many slots `unproven`. */
  rooms(unproven: ReadonlyMap<string, number>) {
    const accounts = new Map<string, number>();
    for (const [id, account] of this.#accounts) {
      const room = Math.max(0, this.#perAccount - (unproven.get(id) ?? 0));
      account.full = room === 0;
      accounts.set(id, room);
    }
    return { perAccount: this.#perAccount, accounts };
  }

  /** What one claim may bring of accounts that hold no slot. */
  roomsOfOthers() {
    const accounts = new Map([...this.#accounts.keys()].map((id) => [id, 0]));
    const perAccount = Math.min(this.#perAccount, Math.ceil(this.keptFree / keptTakers));
    return { perAccount, accounts };
  }

  /** Notes which accounts have all that a claim with this room may bring. */
  claimed(
    claims: readonly Claimed[],
    { slots, perAccount = slots, accounts, prompt = [] }: Room,
  ): void {
    const listed = new Set(prompt.map(({ endpointId }) => endpointId));
    const counts = new Map<string, number>();
    for (const { accountId, endpointId } of claims) {
      if (!listed.has(endpointId)) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    }
    for (const [id, count] of counts) {
      const account = this.#accounts.get(id);
      if (account && count >= (accounts?.get(id) ?? perAccount)) account.full = true;
    }
  }

  /** Whether the last claim may have passed over chains of an account. */
  get anyFull(): boolean {
    return [...this.#accounts.values()].some(({ full }) => full);
  }

  /** Whether claims may have passed over chains of an account that has room by now. */
  passedOver(unproven: ReadonlyMap<string, number>): boolean {
    for (const [id, { full }] of this.#accounts) {
      if (full && (unproven.get(id) ?? 0) < this.#perAccount) return true;
    }
    return false;
  }

  /** Holds a slot. */
  take(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (account) account.held += 1;
    else {
      this.#accounts.set(accountId, { held: 1, asked: 0, full: false });
      this.#unasked += 1;
    }
  }

  /** Notes that an attempt begins for which a slot is held. */
  asked(accountId: string): void {
    const account = this.#accounts.get(accountId);
    if (!account) return;
    this.#asked += 1;
    account.asked += 1;
    if (account.asked === 1) this.#unasked -= 1;
  }

  /**
   * Gives a slot back.
   * @returns whether claims may have passed the account over
   */
  give(accountId: string, wasAsked: boolean): boolean {
    const account = this.#accounts.get(accountId);
    if (!account) return false;
    account.held -= 1;
    if (wasAsked) {
      this.#asked -= 1;
      account.asked -= 1;
      if (account.asked === 0) this.#unasked += 1;
    }
    if (account.held === 0) {
      this.#unasked -= 1;
      this.#accounts.delete(accountId);
    }
    return account.full;
  }
}
