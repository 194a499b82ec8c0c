import type { Claim, Capacity } from '../claim.js';

/** At most this many accounts have a cursor; others begin with their first endpoint. */
const maxCursors = 200;

/**
 * Where the claims of one lane of a process continue: after which account, and in an account that
 * had more than it got, after which endpoint.
 */
export class ClaimCursors {
  #cursor = '';
  #fastFirst = false;
  readonly #cursors = new Map<string, string>();

  /** The account after which the next claim begins. */
  get cursor(): string {
    return this.#cursor;
  }

  /**
   * Whether fast endpoints come before the walk. Alternates between claims that name any, so
   * neither side starves.
   */
  get fastFirst(): boolean {
    return this.#fastFirst;
  }

  /** Capacity and cursor of each account that `accounts` names or that has a cursor. */
  accountCapacities({
    slots,
    perAccount = slots,
    accounts,
  }: Capacity): Map<string, [number, string]> {
    const capacities = new Map<string, [number, string]>();
    for (const [id, cursor] of this.#cursors) capacities.set(id, [perAccount, cursor]);
    for (const [id, capacity] of accounts ?? [])
      capacities.set(id, [capacity, this.#cursors.get(id) ?? '']);
    return capacities;
  }

  /** Moves the cursors past what a claim of `capacity` returned. */
  advance(capacity: Capacity, claims: readonly Claim[]): void {
    const { slots, perAccount = slots, accounts, fast = [] } = capacity;
    if (fast.length > 0) this.#fastFirst = !this.#fastFirst;
    const listed = new Set(fast.map(({ endpointId }) => endpointId));
    const walked = new Map<string, string[]>();
    for (const { accountId, endpointId } of claims) {
      if (listed.has(endpointId)) continue;
      const endpoints = walked.get(accountId) ?? [];
      walked.set(accountId, endpoints);
      endpoints.push(endpointId);
    }
    for (const [accountId, endpoints] of walked) {
      const after = lastOf(endpoints, this.#cursors.get(accountId) ?? '');
      const max = Math.min(slots, accounts?.get(accountId) ?? perAccount);
      this.#cursors.delete(accountId);
      if (claims.length >= slots || endpoints.length >= max) this.#cursors.set(accountId, after);
    }
    for (const [oldest] of this.#cursors) {
      if (this.#cursors.size <= maxCursors) break;
      this.#cursors.delete(oldest);
    }
    // A claim that returned only fast endpoints did not walk, so the cursor stays.
    if (walked.size > 0) this.#cursor = lastOf([...walked.keys()], this.#cursor);
  }
}

/** Returns the last of `ids` in a walk that began after `cursor` and wrapped around once. */
function lastOf(ids: readonly string[], cursor: string): string {
  const wrapped = ids.filter((id) => id <= cursor);
  const last = wrapped.length > 0 ? wrapped : ids;
  return last.reduce((one, other) => (one > other ? one : other), '');
}
