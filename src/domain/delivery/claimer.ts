import { randomInt } from 'node:crypto';
import type { Read, Statement } from '../tx.js';
import type { Claim, Lane, Room } from './claim.js';
import { type ClaimedRow, claimsOf } from './claims-of.js';
import { type Orphan, parkOrphans } from './park-orphans.js';

/** What may be claimed; an index that knew of leases would have to be written by every claim. */
const free = 'c.ready and c.lease_token is null and c.lane = $1';

/**
 * Walks the endpoints that have ready chains, from one after the cursor once around; takes from each
 * what it has room for, until the slots are filled. Each step is one probe of the index
 * (lane, endpoint_id, due_at), past what is claimed already, so a long backlog costs no more than a
 * short one. Laterals, not joins, because a join could be planned as a hash of everything; and an
 * endpoint's secrets by a range in the order of their own index, because in that of their ids all secrets
 * could be walked through.
 */
const claimStatement: Statement = {
  name: 'chain_claim',
  text: `
    with recursive walk (endpoint_id, due_at, wrapped) as (
      select n.* from (
        (select c.endpoint_id, c.due_at, false as wrapped from chain c
          where ${free} and c.endpoint_id > $2 order by c.endpoint_id, c.due_at limit 1)
        union all
        (select c.endpoint_id, c.due_at, true from chain c
          where ${free} order by c.endpoint_id, c.due_at limit 1)
        limit 1) n
      union all
      select n.* from walk w cross join lateral (
        (select c.endpoint_id, c.due_at, w.wrapped from chain c
          where ${free} and c.endpoint_id > w.endpoint_id
          order by c.endpoint_id, c.due_at limit 1)
        union all
        (select c.endpoint_id, c.due_at, true from chain c
          where ${free} and not w.wrapped order by c.endpoint_id, c.due_at limit 1)
        limit 1) n
      where not n.wrapped or n.endpoint_id <= $2
    ), picked as (
      select p.place
        from walk w
        cross join lateral (
          select o.event_types
            from (select * from endpoint e where e.id = w.endpoint_id limit 1) o
           where o.active and o.deleted_at is null and o.cancelling_since is null) e
        cross join lateral (
          select c.ctid as place from chain c
           where ${free} and c.endpoint_id = w.endpoint_id and c.due_at >= w.due_at
             and (c.test or c.event_type = any (e.event_types))
           order by c.due_at
           limit greatest(0, $4::int - coalesce(($5::jsonb ->> w.endpoint_id)::int, 0))
             for update skip locked) p
       limit $3
    ), claimed as (
      update chain c
         set lease_token = $6
       where c.ctid = any (array(select p.place from picked p))
      returning c.*
    ), leased as (
      insert into lease (token, until, chain_ids)
      select $6, now() + $7::int * interval '1 millisecond', array_agg(c.id)
        from claimed c having count(*) > 0
    )
    select c.id as "chainId", c.endpoint_id as "endpointId", c.event_id as "eventId", c.attempt,
           c.max_attempts as "maxAttempts", c.replayed_from as "replayedFrom", c.test,
           c.lease_token as token, (extract(epoch from now()) * 1000)::float8 as "claimedMs",
           e.account_id as "accountId", e.url, e.secrets, v.type, v.version, v.body
      from (
        select c.*, row_number() over (partition by c.endpoint_id) = 1 as tells_endpoint,
               row_number() over (partition by c.event_id) = 1 as tells_event
          from claimed c) c
      left join lateral (
        select e.account_id, e.url, s.secrets from endpoint e cross join lateral (
          select string_agg(s.key_id || ' ' || encode(s.sealed, 'hex'), ','
                            order by s.endpoint_id, s.id desc) as secrets
            from endpoint_secret s
           where s.endpoint_id >= e.id and s.endpoint_id <= e.id
             and (s.expires_at is null or s.expires_at > now())) s
         where c.tells_endpoint and e.id = c.endpoint_id limit 1) e on true
      left join lateral (
        select v.type, v.version, convert_from(v.body, 'UTF8') as body from event v
         where c.tells_event and v.id = c.event_id limit 1) v on true`,
};

/** Names everything that one claim takes; below 2^48. */
export function claimToken(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/**
 * Claims due chains for one process: fair between endpoints, at most one claim per chain, in one
 * statement and one round trip. Remembers where it stopped and goes on from there.
 */
export class Claimer {
  readonly #lane: Lane;
  readonly #leaseMs: number;
  readonly #onParked: (chainIds: readonly string[]) => void;
  readonly #onUnparked: (error: unknown, orphans: readonly Orphan[]) => void;
  #cursor = '';

  /**
   * @param leaseMs how long a claim lasts; more than an attempt and its settlement can take
   * @param onParked hears of chains that were parked because their events are no longer kept
   * @param onUnparked hears of those that could not be parked, which may hold their claims until the
   *   lease ends; unless it is said the whole claim fails
   */
  constructor(
    lane: Lane,
    leaseMs: number,
    onParked: (chainIds: readonly string[]) => void = () => undefined,
    onUnparked: (error: unknown, orphans: readonly Orphan[]) => void = (error) => {
      throw error;
    },
  ) {
    this.#lane = lane;
    this.#leaseMs = leaseMs;
    this.#onParked = onParked;
    this.#onUnparked = onUnparked;
  }

  /**
   * Claims what there is room for; empty when nothing is ready that the process has room for.
   * @param token no other claim's; whoever knows it can give back what was claimed and not heard of
   */
  async claim(
    read: Read,
    { slots, perEndpoint, inFlight }: Room,
    token = claimToken(),
  ): Promise<Claim[]> {
    if (slots < 1) return [];
    const rows = await read.sql<ClaimedRow>(claimStatement, [
      this.#lane,
      this.#cursor,
      slots,
      perEndpoint,
      JSON.stringify(Object.fromEntries(inFlight)),
      token,
      this.#leaseMs,
    ]);
    this.#advance(rows.map(({ endpointId }) => endpointId));
    const { claims, orphans } = claimsOf(rows);
    if (orphans.length > 0) await this.#park(read, orphans);
    return claims;
  }

  /** Tells that it failed, and does not throw: the claims that came with the orphans would be lost. */
  #park(read: Read, orphans: readonly Orphan[]): Promise<void> {
    return parkOrphans(read, orphans).then(this.#onParked, (error: unknown) =>
      this.#onUnparked(error, orphans),
    );
  }

  #advance(endpointIds: readonly string[]): void {
    const wrapped = endpointIds.filter((id) => id <= this.#cursor);
    const last = wrapped.length > 0 ? wrapped : endpointIds;
    this.#cursor = last.reduce((one, other) => (one > other ? one : other), '');
  }
}
