// Claims ready pending deliveries for one lane of one process: fairly, once, and at a cost that does not depend
// on backlog or history.
//
// A claim sets the token of its rows in `pending_delivery`, and adds one row with that token to `lease`. Two
// statements do so:
// - The small claim takes all that is ready, if that is little. It comes first, because setting up the walk
//   costs more than such a claim itself.
// - The walk steps by single index probes from account to account and from endpoint to endpoint, beginning
//   where the last claim stopped, and takes what the process has room for.
// Both return the same rows, of which assembleClaims makes claims. This file has the same order: Claimer, the
// SQL of both statements, the small claim, the walk, the rows.
//
// Invariants: no row is claimed twice, because a claim takes only rows without a token and skips locked ones.
// No row is claimed without a lease, because one statement writes both. `lease_token` is all that a claim
// changes in a row, and no index names it.
//
// A crash leaves the lease. When it ends, a poll releases its rows (promote.ts).
import { randomInt } from 'node:crypto';
import type { Read, Statement } from '../transaction/tx.js';
import type { Claim, Lane, Capacity, ClaimedEvent, AccountEndpoint } from './claim.js';
import { columnsOfRanges, usedSlotsOf, smallClaimRanges } from './send-times.js';
import { type Orphan, deadLetterOrphans } from './promote.js';
import type { SealedSecret } from '../values/sealer.js';
import { smallestId } from '../values/id.js';

/** Returns a random token, below 2^48, for everything that one claim takes. */
export function claimToken(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/** Options of a {@link Claimer}. */
interface ClaimerOptions {
  readonly lane: Lane;
  /** How long a claim lasts, in milliseconds; longer than an attempt and its recording take. */
  readonly leaseMs: number;
  /** Called with pending deliveries that were dead-lettered because their events are past retention. */
  readonly onDeadLettered?: (pendingDeliveryIds: readonly string[]) => void;
  /**
   * Called with those that could not be dead-lettered, which may stay claimed until the lease ends. Defaults to
   * failing the whole claim.
   */
  readonly onDeadLetterFailed?: (error: unknown, orphans: readonly Orphan[]) => void;
}

/** The values of one call that both statements need. */
interface ClaimRequest {
  readonly capacity: Capacity;
  /** The used slots by endpoint, as JSON. */
  readonly usedSlots: string;
  readonly token: number;
}

/**
 * Claims ready pending deliveries for one lane of a process. Fair between accounts, then between their
 * endpoints. Each call continues where the last one stopped.
 */
export class Claimer {
  readonly #options: ClaimerOptions;
  readonly #cursors = new ClaimCursors();
  readonly #smallClaims = new SmallClaimBackoff();

  constructor(options: ClaimerOptions) {
    this.#options = options;
  }

  /**
   * Claims as much as `capacity` allows; returns no claim when nothing that it allows is ready.
   * @param token used by no other claim; with it the caller can release a claim whose answer was
   *   lost
   */
  async claim(read: Read, capacity: Capacity, token = claimToken()): Promise<Claim[]> {
    if (capacity.slots < 1) return [];

    const usedSlots = JSON.stringify(Object.fromEntries(usedSlotsOf(capacity)));
    const request = { capacity, usedSlots, token };
    const rows = (await this.#trySmallClaim(read, request)) ?? (await this.#walk(read, request));

    const { claims, orphans } = assembleClaims(rows);
    this.#cursors.advance(capacity, claims);
    if (orphans.length > 0) await this.#deadLetter(read, orphans);

    return claims;
  }

  /** Claims all that is ready. @returns undefined if that is too much, or if the backoff says not to try */
  async #trySmallClaim(
    read: Read,
    { capacity, usedSlots, token }: ClaimRequest,
  ): Promise<ClaimedRow[] | undefined> {
    const { lane, leaseMs } = this.#options;
    const ranges = smallClaimRanges(capacity.rateLimited ?? []);
    const limits = ranges && this.#smallClaims.limits(capacity);
    if (!limits) return undefined;

    const values = [
      lane,
      limits.most,
      token,
      capacity.perEndpoint,
      usedSlots,
      ...limits.events,
      leaseMs,
    ];

    const rows = await (ranges.length === 0
      ? read.sql<SmallClaimRow>(smallClaimStatement, values)
      : read.sql<SmallClaimRow>(smallClaimBetweenStatement, [
          ...values,
          ...columnsOfRanges(ranges),
        ]));

    const { more, nowMs } = rows[0] ?? { more: true, nowMs: 0 };
    this.#smallClaims.tried(more, nowMs);

    return more ? undefined : rows.filter((row) => row.pendingDeliveryId !== null);
  }

  /** Claims as much of what is ready as the process has room for, beginning at the cursors. */
  #walk(read: Read, { capacity, usedSlots, token }: ClaimRequest): Promise<ClaimedRow[]> {
    const { lane, leaseMs } = this.#options;
    const {
      slots,
      perEndpoint,
      perAccount = slots,
      fastEndpoints = [],
      fullEndpoints = [],
      rateLimited = [],
    } = capacity;

    // For an endpoint with a rate limit its room counts instead of its slots, because its claims wait without slots.
    const rateLimitedIds = new Set(rateLimited.map(({ endpointId }) => endpointId));
    const skipped = [
      ...fastEndpoints,
      ...fullEndpoints.filter(({ endpointId }) => !rateLimitedIds.has(endpointId)),
    ];
    const cursors = this.#cursors;

    return read.sql<ClaimedRow>(walkStatement, [
      lane,
      cursors.accountCursor,
      slots,
      perEndpoint,
      usedSlots,
      token,
      leaseMs,
      perAccount,
      JSON.stringify(walkOf(cursors.accountCapacities(capacity), perAccount, skipped)),
      fastEndpoints.map(({ accountId }) => accountId),
      fastEndpoints.map(({ endpointId }) => endpointId),
      cursors.fastFirst,
    ]);
  }

  /**
   * Dead-letters orphans. Reports a failure instead of throwing it, which would lose the claims that came
   * with them.
   */
  #deadLetter(read: Read, orphans: readonly Orphan[]): Promise<void> {
    const { onDeadLettered, onDeadLetterFailed } = this.#options;
    return deadLetterOrphans(read, orphans).then(
      (pendingDeliveryIds) => onDeadLettered?.(pendingDeliveryIds),
      (error: unknown) => {
        if (!onDeadLetterFailed) throw error;
        onDeadLetterFailed(error, orphans);
      },
    );
  }
}

/** In SQL: a claim may take the pending delivery `c`. An index on `lease_token` would cost a write for every claim. */
const claimable = 'c.ready and c.lease_token is null and c.lane = $1';

/** In SQL: the endpoint `of.endpoint_id`, if it receives deliveries now. */
const receivingEndpoint = (of: string) => `
        cross join lateral (
          select o.event_types
            from (select * from endpoint e where e.id = ${of}.endpoint_id limit 1) o
           where o.active and o.deleted_at is null and o.cancelling_since is null) e`;

/** What {@link selectClaimed} selects from, in SQL. */
interface ClaimedSources {
  /**
   * A table of pending deliveries; `carries_endpoint` and `carries_event` say which rows carry the columns that
   * the claims of an endpoint or event share.
   */
  readonly claimed: string;
  /** A condition that all their events `v` meet. */
  readonly events: string;
}

/**
 * In SQL: selects what the attempts of claimed pending deliveries need. An endpoint's secrets and an event
 * are read by a range in the order of their index. The planner could otherwise walk all secrets or, by the
 * index of accounts, all events of a partition that was empty when it planned.
 */
const selectClaimed = ({ claimed, events }: ClaimedSources) => `
    select c.id as "pendingDeliveryId", c.ctid, c.endpoint_id as "endpointId", c.event_id as "eventId", c.attempt,
           c.max_attempts as "maxAttempts", c.replayed_from as "replayedFrom", c.test,
           c.subject_key as "subjectKey",
           c.lease_token as token, (extract(epoch from now()) * 1000)::float8 as "claimedMs",
           e.account_id as "accountId", e.url, e.max_per_second as "maxPerSecond",
           e.retry_schedule as "retrySchedule", e.secrets, v.type, v.version, v.body, v.traceparent, v.sends_traceparent as "sendsTraceparent"
      from ${claimed} c
      left join lateral (
        select e.account_id, e.url, e.max_per_second, e.retry_schedule, s.secrets
          from endpoint e cross join lateral (
          select string_agg(s.key_id || ' ' || encode(s.sealed, 'hex') ||
                            case when s.kind = 'signing' then '' else ' ' || s.kind end, ','
                            order by s.endpoint_id, s.id desc) as secrets
            from endpoint_secret s
           where s.endpoint_id >= e.id and s.endpoint_id <= e.id
             and (s.expires_at is null or s.expires_at > now() or s.kind = 'headers')) s
         where c.carries_endpoint and e.id = c.endpoint_id limit 1) e on true
      left join lateral (
        select v.type, v.version, convert_from(v.body, 'UTF8') as body, v.traceparent,
               case when v.traceparent is not null then (
                 select a.sends_traceparent from account a where a.id = v.account_id limit 1)
                end as sends_traceparent
          from event v
         where c.carries_event and v.id >= c.event_id and v.id <= c.event_id and ${events}
         order by v.id limit 1) v on true`;

/** A small claim takes at most this many rows, because each row brings the body of its event. */
const maxSmallClaim = 32;
/** Below this capacity no small claim is tried: it would usually fail. */
const minSmallClaim = 4;
const minWalks = 4;
const maxWalks = 64;
const dayMs = 86_400_000;

/** What a small claim may take. */
interface SmallClaimLimits {
  readonly most: number;
  /** The first id of events, and the first after them. */
  readonly events: readonly [string, string];
}

/**
 * Decides whether a claim tries a small claim first. After one that found more, the next 4 claims walk without
 * trying, then 8, and twice as many each time, up to 64.
 */
export class SmallClaimBackoff {
  /** Empty until the database's clock is known from an answer: such a small claim takes nothing. */
  #events: SmallClaimLimits['events'] = ['', ''];
  /** How many of the next claims walk without trying a small claim first. */
  #walksLeft = 0;
  #nextWalks = minWalks;

  /** Returns the limits of a small claim of this capacity; undefined if the claim does not try one. */
  limits({ slots, perAccount = slots, accounts }: Capacity): SmallClaimLimits | undefined {
    if (this.#walksLeft > 0) {
      this.#walksLeft -= 1;
      return undefined;
    }

    const most = Math.min(maxSmallClaim, slots, perAccount, ...(accounts?.values() ?? []));
    return most < minSmallClaim ? undefined : { most, events: this.#events };
  }

  /**
   * Notes the answer of a small claim, and backs off when more was ready.
   * @param nowMs by the database's clock; the next small claim takes events of the day before and after it
   */
  tried(more: boolean, nowMs: number): void {
    this.#walksLeft = more ? this.#nextWalks : 0;
    this.#nextWalks = more ? Math.min(2 * this.#nextWalks, maxWalks) : minWalks;
    const at = (ms: number) => smallestId('evt', new Date(ms));
    this.#events = [at(nowMs - dayMs), at(nowMs + dayMs)];
  }
}

/** A row of the small claim. */
type SmallClaimRow = { readonly more: boolean; readonly nowMs: number } & (
  | ClaimedRow
  | { readonly pendingDeliveryId: null }
);

/**
 * The small claim: takes all ready pending deliveries of a lane if there are at most `$2` of them, and all
 * their events have ids from `$6` to below `$7`. Then no account can exceed its limit, and the walk would claim
 * the same rows. Otherwise it claims none and answers `more`. Each answer has the clock, and a row without a
 * pending delivery if it claims none.
 *
 * The walk has a hundred plan nodes, which PostgreSQL sets up and tears down even if one row is ready. The
 * bounds of the events let it set up only the partitions between them (ADR 0028).
 */
export const smallClaimStatement: Statement = {
  name: 'pending_delivery_claim_few',
  text: smallClaimText(firstReady()),
};

/**
 * The small claim of what is ready in some ranges of endpoints, each without its bounds: from `($9, $10)` to
 * `($11, $12)`. What is ready between two ranges costs nothing.
 */
const smallClaimBetweenStatement: Statement = {
  name: 'pending_delivery_claim_few_between',
  text: smallClaimText(`
      select c.* from unnest($9::text[], $10::text[], $11::text[], $12::text[])
               g (after_account, after_endpoint, before_account, before_endpoint)
        cross join lateral (${firstReady(` and (c.account_id, c.endpoint_id) > (g.after_account, g.after_endpoint)
         and (c.account_id, c.endpoint_id) < (g.before_account, g.before_endpoint)`)}) c
       limit $2::int + 1`),
};

/** In SQL: selects the first `$2` + 1 ready rows. */
function firstReady(condition = ''): string {
  return `
      select c.ctid, c.endpoint_id, c.event_id, c.event_type, c.test, c.due_at
        from pending_delivery c
       where ${claimable}${condition}
       order by c.account_id, c.endpoint_id, c.due_at limit $2::int + 1`;
}

/**
 * In SQL: `asked` says whether more is ready than the claim may take; if not, `claimed` writes the token, up to
 * the limit of each endpoint, and `leased` the lease.
 * @param few selects what is ready, and one row more than the claim may take
 */
function smallClaimText(few: string): string {
  return `
    with few as materialized (${few}
    ), asked as (
      select count(*) > $2::int or coalesce(bool_or(f.event_id < $6 or f.event_id >= $7), false) as more,
             (extract(epoch from now()) * 1000)::float8 as "nowMs"
        from few f
    ), claimed as (
      update pending_delivery c
         set lease_token = $3
       where c.ctid = any (array(
         select p.ctid
           from (select f.ctid, f.endpoint_id,
                        row_number() over (partition by f.endpoint_id order by f.due_at) as rank_in_endpoint
                   from few f ${receivingEndpoint('f')}
                  where not (select a.more from asked a)
                    and (f.test or f.event_type = any (e.event_types))) f
          cross join lateral (
            select c.ctid from pending_delivery c
             where c.ctid = f.ctid and ${claimable} for update skip locked) p
          where f.rank_in_endpoint <= $4::int - coalesce(($5::jsonb ->> f.endpoint_id)::int, 0)))
      returning c.ctid, c.*
    ), leased as (
      insert into lease (token, until, pending_delivery_ids)
      select $3, now() + $8::int * interval '1 millisecond', array_agg(c.id)
        from claimed c having count(*) > 0
    )
    select a.*, c.* from asked a left join (${selectClaimed({
      claimed: '(select c.*, true as carries_endpoint, true as carries_event from claimed c)',
      events: 'v.id >= $6 and v.id < $7',
    })}) c on true`;
}

/** At most this many accounts have an endpoint cursor; others begin with their first endpoint. */
const maxEndpointCursors = 200;

/**
 * Where the walks of one lane of a process continue: after which account, and in an account that had more
 * than it got, after which endpoint.
 */
export class ClaimCursors {
  #accountCursor = '';
  #fastFirst = false;
  /** By account, the endpoint after which its next walk begins. */
  readonly #endpointCursors = new Map<string, string>();

  /** The account after which the next walk begins. */
  get accountCursor(): string {
    return this.#accountCursor;
  }

  /** Whether fast endpoints come before the walk. Alternates between claims that name any, so that neither starves. */
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
    for (const [id, cursor] of this.#endpointCursors) capacities.set(id, [perAccount, cursor]);
    for (const [id, capacity] of accounts ?? [])
      capacities.set(id, [capacity, this.#endpointCursors.get(id) ?? '']);
    return capacities;
  }

  /** Moves the cursors past what a claim of `capacity` returned. */
  advance(capacity: Capacity, claims: readonly Claim[]): void {
    const { slots, perAccount = slots, accounts, fastEndpoints = [] } = capacity;
    if (fastEndpoints.length > 0) this.#fastFirst = !this.#fastFirst;

    const fastIds = new Set(fastEndpoints.map(({ endpointId }) => endpointId));
    const walked = new Map<string, string[]>();

    for (const { accountId, endpointId } of claims) {
      if (fastIds.has(endpointId)) continue;
      const endpoints = walked.get(accountId) ?? [];
      walked.set(accountId, endpoints);
      endpoints.push(endpointId);
    }

    for (const [accountId, endpoints] of walked) {
      const after = lastOf(endpoints, this.#endpointCursors.get(accountId) ?? '');
      const max = Math.min(slots, accounts?.get(accountId) ?? perAccount);
      this.#endpointCursors.delete(accountId);
      if (claims.length >= slots || endpoints.length >= max)
        this.#endpointCursors.set(accountId, after);
    }

    for (const [oldest] of this.#endpointCursors) {
      if (this.#endpointCursors.size <= maxEndpointCursors) break;
      this.#endpointCursors.delete(oldest);
    }

    // A claim that returned only fast endpoints did not walk, so the cursor stays.
    if (walked.size > 0) this.#accountCursor = lastOf([...walked.keys()], this.#accountCursor);
  }
}

/** Returns the last of `ids` in a walk that began after `cursor` and wrapped around once. */
function lastOf(ids: readonly string[], cursor: string): string {
  const wrapped = ids.filter((id) => id <= cursor);
  const candidates = wrapped.length > 0 ? wrapped : ids;
  return candidates.reduce((one, other) => (one > other ? one : other), '');
}

/** Endpoints after one and before another, as `[after, before]`. */
type EndpointRange = readonly [after: string, before: string];

/** Sorts after every id. */
const afterAll = '~';
/** Sorts after `id` and before every other id that is greater. */
const justAfter = (id: string) => `${id} `;

/**
 * Returns how a claim walks the accounts that differ from others: how many it takes of each, and the
 * ranges of endpoints that it walks. These go from the account's cursor once around, between the endpoints
 * that the walk skips.
 * @param capacities capacity and cursor by account
 * @param perAccount the capacity of other accounts
 * @param skipped fast endpoints, from which the claim takes apart from the walk, and those without a free slot
 */
export function walkOf(
  capacities: ReadonlyMap<string, readonly [capacity: number, cursor: string]>,
  perAccount: number,
  skipped: readonly AccountEndpoint[],
): Record<string, [capacity: number, ranges: EndpointRange[]]> {
  const skippedOf = new Map<string, string[]>();

  for (const { accountId, endpointId } of skipped) {
    const endpointIds = skippedOf.get(accountId);
    if (endpointIds) endpointIds.push(endpointId);
    else skippedOf.set(accountId, [endpointId]);
  }

  const accounts = new Set([...capacities.keys(), ...skippedOf.keys()]);

  return Object.fromEntries(
    [...accounts].map((account) => {
      const [capacity, cursor] = capacities.get(account) ?? [perAccount, ''];
      // Nothing reads the ranges of an account at its limit, which may have a thousand endpoints.
      const ranges = capacity > 0 ? rangesBetween(skippedOf.get(account) ?? [], cursor) : [];
      return [account, [capacity, ranges]];
    }),
  );
}

/** The ranges between the skipped endpoints, from the cursor once around. */
function rangesBetween(skipped: readonly string[], cursor: string): EndpointRange[] {
  const sorted = [...skipped].sort(byCode);
  const afterCursor = sorted.filter((id) => id > cursor);
  const upToCursor = sorted.filter((id) => id <= cursor);
  return [
    ...splitRange([cursor, afterAll], afterCursor),
    ...(cursor === '' ? [] : splitRange(['', justAfter(cursor)], upToCursor)),
  ];
}

/** Splits a range at the skipped endpoints in it. */
function splitRange([first, last]: EndpointRange, skipped: readonly string[]): EndpointRange[] {
  return [first, ...skipped].map((after, index) => [after, skipped[index] ?? last]);
}

/** Compares in the order of `collate "C"`. */
function byCode(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** From which endpoint {@link pickFrom} picks, in SQL. */
interface PickedEndpoint {
  /** The row that has its `endpoint_id`. */
  readonly of: string;
  readonly accountId: string;
  /** When its first ready pending delivery is due, if that is known. */
  readonly firstDueAt?: string;
}

/**
 * In SQL: picks from an endpoint as many pending deliveries as the process has capacity for. A lateral, because
 * the planner could turn a join into a hash of whole tables.
 */
function pickFrom({ of, accountId, firstDueAt }: PickedEndpoint): string {
  const since = firstDueAt === undefined ? '' : ` and c.due_at >= ${firstDueAt}`;
  return `
        ${receivingEndpoint(of)}
        cross join lateral (
          select c.ctid from pending_delivery c
           where ${claimable} and c.account_id = ${accountId} and c.endpoint_id = ${of}.endpoint_id${since}
             and (c.test or c.event_type = any (e.event_types))
           order by c.due_at
           limit greatest(0, $4::int - coalesce(($5::jsonb ->> ${of}.endpoint_id)::int, 0))
             for update skip locked) p`;
}

/** In SQL: picks from the fast endpoints; these do not count towards the limits of their accounts. */
const pickFromFastEndpoints = `
      select p.ctid from unnest($10::text[], $11::text[]) l (account_id, endpoint_id)
        ${pickFrom({ of: 'l', accountId: 'l.account_id' })}`;

/** In SQL: steps to the next endpoint with ready pending deliveries of an account, after `after` and within a range. */
const nextEndpoint = (after: string) => `
              select c.endpoint_id, c.due_at from pending_delivery c
               where ${claimable} and c.account_id = a.account_id and c.endpoint_id > ${after}
                 and c.endpoint_id < r.range ->> 1
               order by c.endpoint_id, c.due_at limit 1`;

/**
 * The walk:
 * - `ready_account` walks the accounts that have ready pending deliveries, from the one after the cursor once
 *   around.
 * - `walked` walks the endpoints of each account that has capacity (`walk`), from the one after the account's
 *   cursor once around. The ranges of this walk leave out fast endpoints and those without a free slot, because
 *   each would cost a step past all that was claimed of it. From each endpoint it takes up to the limit of the
 *   endpoint, until the limit of the account is reached.
 * - `picked` adds the pending deliveries of fast endpoints, before or after these, until the slots are full.
 * - `claimed` writes the token, and `leased` the lease.
 *
 * Each step is one probe of the index (lane, account_id, endpoint_id, due_at), past what is claimed already. A
 * long backlog costs no more than a short one. An account at its limit costs one probe.
 */
const walkStatement: Statement = {
  name: 'pending_delivery_claim',
  text: `
    with recursive ready_account (account_id, wrapped) as (
      select n.* from (
        (select c.account_id, false as wrapped from pending_delivery c
          where ${claimable} and c.account_id > $2
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        union all
        (select c.account_id, true from pending_delivery c
          where ${claimable} order by c.account_id, c.endpoint_id, c.due_at limit 1)
        limit 1) n
      union all
      select n.* from ready_account a cross join lateral (
        (select c.account_id, a.wrapped from pending_delivery c
          where ${claimable} and c.account_id > a.account_id
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        union all
        (select c.account_id, true from pending_delivery c
          where ${claimable} and not a.wrapped
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        limit 1) n
      where not n.wrapped or n.account_id <= $2
    ), walked as (
      select p.ctid
        from (select a.account_id, coalesce(($9::jsonb -> a.account_id ->> 0)::int, $8::int) as room,
                     coalesce($9::jsonb -> a.account_id -> 1, '[["", "~"]]') as ranges
                from ready_account a) a
        cross join lateral (
          select p.ctid
            from jsonb_array_elements(a.ranges) r (range)
            cross join lateral (
              with recursive walk (endpoint_id, due_at) as (
                (${nextEndpoint('r.range ->> 0')})
                union all
                select n.* from walk w cross join lateral (${nextEndpoint('w.endpoint_id')}) n
              )
              select w.* from walk w) w
            ${pickFrom({ of: 'w', accountId: 'a.account_id', firstDueAt: 'w.due_at' })}
           limit greatest(0, a.room)) p
    ), picked as (
      select o.ctid from (
        (select f.ctid from (${pickFromFastEndpoints}) f where $12::boolean)
        union all
        (select w.ctid from walked w)
        union all
        (select l.ctid from (${pickFromFastEndpoints}) l where not $12::boolean)) o
       limit $3
    ), claimed as (
      update pending_delivery c
         set lease_token = $6
       where c.ctid = any (array(select p.ctid from picked p))
      returning c.ctid, c.*
    ), leased as (
      insert into lease (token, until, pending_delivery_ids)
      select $6, now() + $7::int * interval '1 millisecond', array_agg(c.id)
        from claimed c having count(*) > 0
    )
    ${selectClaimed({
      claimed: `(
        select c.*, row_number() over (partition by c.endpoint_id) = 1 as carries_endpoint,
               row_number() over (partition by c.event_id) = 1 as carries_event
          from claimed c)`,
      events: 'true',
    })}`,
};

/**
 * A pending delivery that was claimed. The columns that the claims of an endpoint or event share are set
 * in one of their rows only.
 */
interface ClaimedRow {
  readonly pendingDeliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly replayedFrom: string | null;
  readonly test: boolean;
  readonly subjectKey: string | null;
  readonly token: number;
  readonly ctid: string;
  readonly claimedMs: number;
  readonly accountId: string | null;
  readonly url: string | null;
  readonly maxPerSecond: number | null;
  readonly retrySchedule: string | null;
  /**
   * `<key id> <hex>` of each signing secret, newest first, and `<key id> <hex> <kind>` of each other secret. One text
   * costs a tenth of two arrays to read.
   */
  readonly secrets: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly body: string | null;
  readonly traceparent: string | null;
  readonly sendsTraceparent: boolean | null;
}

type ClaimedEndpoint = Pick<
  Claim,
  'accountId' | 'url' | 'maxPerSecond' | 'retrySchedule' | keyof ClaimedSecrets
>;

type ClaimedSecrets = Pick<Claim, 'secrets' | 'privateKeys' | 'headers'>;

interface Claimed {
  readonly claims: Claim[];
  /** Pending deliveries whose events are past retention. */
  readonly orphans: readonly ClaimedRow[];
}

/**
 * Makes the claims of the rows of one statement: copies shared columns to all rows. A row that has its event
 * becomes a claim, the others are orphans.
 */
function assembleClaims(rows: readonly ClaimedRow[]): Claimed {
  const events = new Map<string, ClaimedEvent>();
  const endpoints = new Map<string, ClaimedEndpoint>();

  for (const row of rows) {
    const { eventId, type, version, body, endpointId, accountId, url } = row;
    if (type !== null && version !== null && body !== null) {
      const event = { id: eventId, type, version, body: Buffer.from(body) };
      const { traceparent, sendsTraceparent } = row;
      events.set(
        eventId,
        traceparent === null
          ? event
          : { ...event, traceparent, sendsTraceparent: sendsTraceparent === true },
      );
    }

    if (accountId !== null && url !== null) {
      endpoints.set(endpointId, {
        accountId,
        url,
        maxPerSecond: row.maxPerSecond,
        retrySchedule: row.retrySchedule,
        ...sealedSecrets(row.secrets ?? ''),
      });
    }
  }

  const claimedAt = new Date(rows[0]?.claimedMs ?? 0);
  const claims = rows.flatMap((row) => {
    const { pendingDeliveryId, token, ctid, endpointId } = row;
    const { attempt, maxAttempts, replayedFrom, test, subjectKey } = row;
    const event = events.get(row.eventId);
    const endpoint = endpoints.get(endpointId);
    if (!event || !endpoint) return [];

    const { accountId, url, maxPerSecond, retrySchedule, secrets, privateKeys, headers } = endpoint;
    return {
      pendingDeliveryId,
      token,
      ctid,
      accountId,
      endpointId,
      url,
      maxPerSecond,
      retrySchedule,
      secrets,
      privateKeys,
      headers,
      event,
      attempt,
      maxAttempts,
      replayedFrom,
      test,
      subjectKey,
      claimedAt,
    };
  });
  return { claims, orphans: rows.filter(({ eventId }) => !events.has(eventId)) };
}

/** Parses the secrets of a {@link ClaimedRow}. */
function sealedSecrets(text: string): ClaimedSecrets {
  const secrets: SealedSecret[] = [];
  const privateKeys: SealedSecret[] = [];
  let headers: SealedSecret | null = null;
  if (text === '') return { secrets, privateKeys, headers };

  for (const entry of text.split(',')) {
    const [keyId = '', hex = '', kind] = entry.split(' ');
    const secret = { keyId, sealed: Buffer.from(hex, 'hex') };
    if (kind === 'headers') headers = secret;
    else if (kind === 'ed25519') privateKeys.push(secret);
    else secrets.push(secret);
  }

  return { secrets, privateKeys, headers };
}
