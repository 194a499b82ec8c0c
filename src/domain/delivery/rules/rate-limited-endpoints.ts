import type { Capacity, RateLimitedEndpoint } from '../claim.js';

/** More ranges cost more than the walk. */
const maxRanges = 16;

/** An account and an endpoint, in the order of the index of what is ready. */
type Place = readonly [account: string, endpoint: string];

/** The endpoints between two others. */
export interface EndpointRange {
  readonly after: Place;
  readonly before: Place;
}

const beforeAll: Place = ['', ''];
const afterAll: Place = ['~', '~'];

/**
 * Returns the attempts in flight by endpoint as a claim reads them. So the claim takes no more from an
 * endpoint with a rate limit than there is room for. Claims that wait for their send times count as in
 * flight only while the attempts in flight need more than half of the endpoint's slots.
 */
export function inFlightOf({
  inFlight,
  perEndpoint,
  rateLimited = [],
}: Capacity): ReadonlyMap<string, number> {
  if (rateLimited.length === 0) return inFlight;
  const counts = new Map(inFlight);
  for (const { endpointId, waiting, running, room } of rateLimited) {
    const free = perEndpoint - (counts.get(endpointId) ?? 0);
    const most = running <= free ? room : Math.min(room, free - waiting);
    counts.set(endpointId, perEndpoint - Math.max(0, most));
  }
  return counts;
}

/**
 * Returns the ranges in which a claim of all that is ready looks, past the endpoints from which it
 * may take nothing. None stands for everything.
 * @returns undefined when more is ready than such a claim takes, or when there are too many ranges
 */
export function fewBetween(
  rateLimited: readonly RateLimitedEndpoint[],
): readonly EndpointRange[] | undefined {
  const backlogged = rateLimited.filter((each) => each.backlogged);
  if (backlogged.length === 0) return [];
  if (backlogged.length >= maxRanges || backlogged.some(({ room }) => room > 0)) return undefined;
  const places = backlogged
    .map(({ accountId, endpointId }): Place => [accountId, endpointId])
    .sort(inOrder);
  return [beforeAll, ...places].map((after, index) => ({
    after,
    before: places[index] ?? afterAll,
  }));
}

function inOrder(one: Place, other: Place): number {
  const index = one[0] === other[0] ? 1 : 0;
  return one[index] < other[index] ? -1 : 1;
}

/** Returns the bounds of ranges as columns: accounts and endpoints after which, then before which. */
export function columnsOfRanges(ranges: readonly EndpointRange[]): readonly (readonly string[])[] {
  return [
    ranges.map(({ after }) => after[0]),
    ranges.map(({ after }) => after[1]),
    ranges.map(({ before }) => before[0]),
    ranges.map(({ before }) => before[1]),
  ];
}
