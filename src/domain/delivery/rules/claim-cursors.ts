import type { Claim, Capacity } from '../claim.js';

/** Accounts whose place is remembered; the others begin with their first endpoint. */
const maxCursors = 200;

/**
 * Whose turn it is in the claims of one lane of a process: where the walk over accounts stopped, and
 * where it stopped within each account that had more than it got.
 */
export class ClaimCursors {
  #cursor = '';
  #fastFirst = false;
  readonly #cursors = new Map<string, string>();

  /** The account after which the next claim begins. */
  get cursor(): string {
    return this.#cursor;
  }

  /** Whether prompt endpoints come before the walk: in every other claim that names any, so that neither starves. */
  get fastFirst(): boolean {
    return this.#fastFirst;
  }

  /** Room and cursor of each account that `room` names or that has a cursor. */
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

  /** Notes what a claim of `capacity` brought. */
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
    // A claim that walked no further, such as one of prompt endpoints alone, leaves the place as it is.
    if (walked.size > 0) this.#cursor = lastOf([...walked.keys()], this.#cursor);
  }
}

/** The last of `ids` in a walk that began after `cursor` and went once around. */
function lastOf(ids: readonly string[], cursor: string): string {
  const wrapped = ids.filter((id) => id <= cursor);
  const last = wrapped.length > 0 ? wrapped : ids;
  return last.reduce((one, other) => (one > other ? one : other), '');
}
