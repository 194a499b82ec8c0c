import type { Claim, Room } from './claim.js';

/** Accounts whose place is remembered; the others begin with their first endpoint. */
const mostCursors = 200;

/**
 * Whose turn it is in the claims of one lane of a process: where the walk over accounts stopped, and
 * where it stopped within each account that had more than it got.
 */
export class ClaimTurns {
  #cursor = '';
  #promptFirst = false;
  readonly #cursors = new Map<string, string>();

  /** The account after which the next claim begins. */
  get cursor(): string {
    return this.#cursor;
  }

  /** Whether prompt endpoints come before the walk: in every other claim that names any, so that neither starves. */
  get promptFirst(): boolean {
    return this.#promptFirst;
  }

  /** Room and cursor of each account that `room` names or that has a cursor. */
  roomsOf({ slots, perAccount = slots, accounts }: Room): Map<string, [number, string]> {
    const rooms = new Map<string, [number, string]>();
    for (const [id, cursor] of this.#cursors) rooms.set(id, [perAccount, cursor]);
    for (const [id, room] of accounts ?? []) rooms.set(id, [room, this.#cursors.get(id) ?? '']);
    return rooms;
  }

  /** Notes what a claim with `room` brought. */
  took(room: Room, claims: readonly Claim[]): void {
    const { slots, perAccount = slots, accounts, prompt = [] } = room;
    if (prompt.length > 0) this.#promptFirst = !this.#promptFirst;
    const listed = new Set(prompt.map(({ endpointId }) => endpointId));
    const walked = new Map<string, string[]>();
    for (const { accountId, endpointId } of claims) {
      if (listed.has(endpointId)) continue;
      const endpoints = walked.get(accountId) ?? [];
      walked.set(accountId, endpoints);
      endpoints.push(endpointId);
    }
    for (const [accountId, endpoints] of walked) {
      const after = lastOf(endpoints, this.#cursors.get(accountId) ?? '');
      const most = Math.min(slots, accounts?.get(accountId) ?? perAccount);
      this.#cursors.delete(accountId);
      if (claims.length >= slots || endpoints.length >= most) this.#cursors.set(accountId, after);
    }
    for (const [oldest] of this.#cursors) {
      if (this.#cursors.size <= mostCursors) break;
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
