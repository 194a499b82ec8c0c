/** How many bytes may wait. */
export interface ByteLimits {
  readonly total: number;
  readonly perAccount: number;
  /** Beside `total`, for accounts of which at most `perAccount` wait: others cannot fill it. */
  readonly reserve: Omit<ByteLimits, 'reserve'>;
}

/** Counts the bytes that wait, in all and for each account. */
export class ByteBudget {
  readonly #limits: ByteLimits;
  readonly #accounts = new Map<string, number>();
  #total = 0;

  constructor(limits: ByteLimits) {
    this.#limits = limits;
  }

  /** The bytes that wait now. */
  get total(): number {
    return this.#total;
  }

  /** Counts `bytes` of an account. Returns false, and counts nothing, if they exceed a limit. */
  reserve(account: string, bytes: number): boolean {
    const { total, perAccount, reserve } = this.#limits;
    const own = (this.#accounts.get(account) ?? 0) + bytes;
    const limit = own > reserve.perAccount ? total : total + reserve.total;
    if (own > perAccount || this.#total + bytes > limit) return false;
    this.#accounts.set(account, own);
    this.#total += bytes;
    return true;
  }

  release(account: string, bytes: number): void {
    const own = (this.#accounts.get(account) ?? 0) - bytes;
    if (own > 0) this.#accounts.set(account, own);
    else this.#accounts.delete(account);
    this.#total -= bytes;
  }
}
