// Endpoints with a rate limit: the send times that processes reserve, and the room that a claim has for such an
// endpoint.
//
// One row of `endpoint_rate` holds the next send time of each limited endpoint. A process reserves some for the
// claims that it holds, in one statement that locks the row, so all processes together keep to the limit. A
// reserved time is used up: a crash leaves the endpoint with less than its limit for a moment, never with more.
import type { Read, Statement } from '../transaction/tx.js';
import type { Capacity, RateLimitedEndpoint } from './claim.js';

/** How many send times of an endpoint a process wants. */
export interface WantedSendTimes {
  readonly endpointId: string;
  readonly count: number;
}

/** The send times that a process got for an endpoint. */
export interface ReservedSendTimes {
  readonly endpointId: string;
  /** How many it got, at most as many as it wanted. */
  readonly count: number;
  /** The first send time, or the one that was too far ahead: milliseconds since 1970 by PostgreSQL. */
  readonly firstMs: number;
  /** Milliseconds between two send times; 0 without a rate limit. */
  readonly stepMs: number;
  /** PostgreSQL's time when the statement began, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** No process reserves so far ahead: a later time was written before PostgreSQL's clock was set back. */
const maxAhead = `interval '10 seconds'`;

/**
 * The generic cell rate algorithm without a burst: each send time is one step after the one before, or now if
 * that has passed. The rate is the one of this moment.
 * - `wanted` locks one row per endpoint, in the order of `$1`, for as long as the statement runs.
 * - `timed` finds the step between two send times and the first one that is free.
 * - `granted` counts how many are near enough, and `reserved` moves the next send time past them.
 */
const reserveStatement: Statement = {
  name: 'endpoint_rate_reserve',
  text: `
    with wanted as (
      select i.endpoint_id, i.count, e.max_per_second, r.next_at
        from unnest($1::text[], $2::int[]) with ordinality i (endpoint_id, count, ordinal)
        cross join lateral (
          select r.next_at from endpoint_rate r where r.endpoint_id = i.endpoint_id for update) r
        cross join lateral (
          select e.max_per_second from endpoint e where e.id = i.endpoint_id limit 1) e
    ), timed as (
      select w.*, coalesce(1 / w.max_per_second::float8, 0) as step,
             case when w.max_per_second is null or w.next_at > now() + ${maxAhead} then now()
                  else greatest(w.next_at, now()) end as first
        from wanted w
    ), granted as (
      select t.endpoint_id, t.step, t.first,
             case when t.step = 0 then t.count
                  else greatest(0, least(t.count, 1 + floor(
                         ($3::float8 / 1000 - extract(epoch from t.first - now())::float8) / t.step)))
             end::int as count
        from timed t
    ), reserved as (
      update endpoint_rate r set next_at = g.first + g.count * g.step * interval '1 second'
        from granted g
       where r.endpoint_id = any ($1::text[]) and r.endpoint_id = g.endpoint_id and g.count > 0
    )
    select g.endpoint_id as "endpointId", g.count, g.step * 1000 as "stepMs",
           (extract(epoch from g.first) * 1000)::float8 as "firstMs",
           (extract(epoch from now()) * 1000)::float8 as "nowMs"
      from granted g`,
};

/**
 * Reserves send times of endpoints with a rate limit, at most `aheadMs` milliseconds ahead. A time
 * is used up even if nothing is sent then. An endpoint that was purged is not in the answer.
 * @param wanted one entry per endpoint, in the order of their ids
 */
export function reserveSendTimes(
  read: Read,
  wanted: readonly WantedSendTimes[],
  aheadMs: number,
): Promise<ReservedSendTimes[]> {
  return read.sql<ReservedSendTimes>(reserveStatement, [
    wanted.map(({ endpointId }) => endpointId),
    wanted.map(({ count }) => count),
    aheadMs,
  ]);
}

/** A small claim in more ranges costs more than the walk. */
const maxRanges = 16;

/** A position in the index of ready pending deliveries. */
type Position = readonly [account: string, endpoint: string];

/** The endpoints between two positions, without these. */
interface EndpointRange {
  readonly after: Position;
  readonly before: Position;
}

const beforeAll: Position = ['', ''];
const afterAll: Position = ['~', '~'];

/**
 * Returns the used slots by endpoint as a claim reads them: so many that the claim takes no more from an endpoint with
 * a rate limit than there is room for. Claims that wait for their send times use slots only while the running attempts
 * need more than half of the endpoint's slots.
 */
export function usedSlotsOf({
  usedSlots,
  perEndpoint,
  rateLimited = [],
}: Capacity): ReadonlyMap<string, number> {
  if (rateLimited.length === 0) return usedSlots;
  const counts = new Map(usedSlots);
  for (const { endpointId, waiting, running, room } of rateLimited) {
    const free = perEndpoint - (counts.get(endpointId) ?? 0);
    const claimable = running <= free ? room : Math.min(room, free - waiting);
    counts.set(endpointId, perEndpoint - Math.max(0, claimable));
  }
  return counts;
}

/**
 * Returns the ranges in which a small claim looks: between the endpoints from which it may take nothing.
 * No range stands for everything.
 * @returns undefined when more is ready than a small claim takes, or when there are too many ranges
 */
export function smallClaimRanges(
  rateLimited: readonly RateLimitedEndpoint[],
): readonly EndpointRange[] | undefined {
  const backlogged = rateLimited.filter((endpoint) => endpoint.backlogged);
  if (backlogged.length === 0) return [];
  if (backlogged.length >= maxRanges || backlogged.some(({ room }) => room > 0)) return undefined;
  const positions = backlogged
    .map(({ accountId, endpointId }): Position => [accountId, endpointId])
    .sort(inOrder);
  return [beforeAll, ...positions].map((after, index) => ({
    after,
    before: positions[index] ?? afterAll,
  }));
}

function inOrder(one: Position, other: Position): number {
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
