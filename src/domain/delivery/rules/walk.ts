import type { AccountEndpoint } from '../claim.js';

/** Endpoints after one and before another, as `[after, before]`. */
type EndpointRange = readonly [after: string, before: string];

/** Sorts after every id. */
const afterAll = '~';
/** Sorts after `id` and before every other id that is greater. */
const justAfter = (id: string) => `${id} `;

/**
 * Returns how a claim walks the accounts that differ from others: how many it takes of each, and the
 * ranges of endpoints that it walks. They go from the account's cursor once around, between the endpoints
 * that it passes.
 * @param capacities capacity and cursor by account
 * @param perAccount the capacity of other accounts
 * @param passed fast endpoints, from which the claim takes by themselves, and those without a free slot
 */
export function walkOf(
  capacities: ReadonlyMap<string, readonly [capacity: number, cursor: string]>,
  perAccount: number,
  passed: readonly AccountEndpoint[],
): Record<string, [capacity: number, ranges: EndpointRange[]]> {
  const endpoints = new Map<string, string[]>();
  for (const { accountId, endpointId } of passed) {
    const others = endpoints.get(accountId);
    if (others) others.push(endpointId);
    else endpoints.set(accountId, [endpointId]);
  }
  const accounts = new Set([...capacities.keys(), ...endpoints.keys()]);
  return Object.fromEntries(
    [...accounts].map((account) => {
      const [capacity, cursor] = capacities.get(account) ?? [perAccount, ''];
      // Nothing reads the ranges of an account at its limit, which may have a thousand endpoints.
      const ends = endpoints.get(account) ?? [];
      return [account, [capacity, capacity > 0 ? rangesBetween(ends, cursor) : []]];
    }),
  );
}

function rangesBetween(passed: readonly string[], cursor: string): EndpointRange[] {
  const ends = [...passed].sort(byCode);
  const after = ends.filter((id) => id > cursor);
  const upTo = ends.filter((id) => id <= cursor);
  return [
    ...between(cursor, after, afterAll),
    ...(cursor === '' ? [] : between('', upTo, justAfter(cursor))),
  ];
}

function between(first: string, passed: readonly string[], last: string): EndpointRange[] {
  return [first, ...passed].map((after, index) => [after, passed[index] ?? last]);
}

/** As `collate "C"` does. */
function byCode(one: string, other: string): number {
  return one < other ? -1 : 1;
}
