// Claims ready pending deliveries: fairly, once, and at a cost that does not depend on backlog or history.
//
// The walk (claimStatement) steps by single index probes from account to account and from endpoint to endpoint, beginning where this
// process stopped, and takes what the process has room for. When little is ready, a short statement (claimFewStatement) takes all
// of it instead, because setting up the walk costs more than its work. Both return the same rows.
//
// A claim writes only `lease_token`, which no index names, and one row of `lease`. A crash leaves that row; see leases.ts.
import { randomInt } from 'node:crypto';
import type { Read, Statement } from '../tx.js';
import type { Claim, Lane, Capacity, ClaimedEvent, AccountEndpoint } from './claim.js';
import { columnsOfRanges, fewBetween, inFlightOf } from './send-times.js';
import { type Orphan, deadLetterOrphans } from './promote.js';
import type { SealedSecret } from '../sealer.js';
import { smallestId } from '../id.js';

/** Returns a random token, below 2^48, for everything that one claim takes. */
export function claimToken(): number {
  return randomInt(1, 2 ** 48 - 1);
}

/**
 * Claims due pending deliveries for one process, in one statement if few are ready. Fair between
 * accounts, then between their endpoints. Each call continues where the last one stopped.
 */
export class Claimer {
  readonly #lane: Lane;
  readonly #leaseMs: number;
  readonly #onDeadLettered: (pendingDeliveryIds: readonly string[]) => void;
  readonly #onDeadLetterFailed: (error: unknown, orphans: readonly Orphan[]) => void;
  readonly #cursors = new ClaimCursors();
  readonly #fewReady = new SmallClaimBackoff();

  /**
   * @param leaseMs how long a claim lasts, in milliseconds; longer than an attempt and its
   *   recording take
   * @param onDeadLettered called with pending deliveries that were dead-lettered because their
   *   events are past retention
   * @param onDeadLetterFailed called with those that could not be dead-lettered, which may stay
   *   claimed until the lease ends. Defaults to failing the whole claim.
   */
  constructor(
    lane: Lane,
    leaseMs: number,
    onDeadLettered: (pendingDeliveryIds: readonly string[]) => void = () => undefined,
    onDeadLetterFailed: (error: unknown, orphans: readonly Orphan[]) => void = (error) => {
      throw error;
    },
  ) {
    this.#lane = lane;
    this.#leaseMs = leaseMs;
    this.#onDeadLettered = onDeadLettered;
    this.#onDeadLetterFailed = onDeadLetterFailed;
  }

  /**
   * Claims as much as `capacity` allows; empty when nothing of that is ready.
   * @param token used by no other claim; with it the caller can release a claim whose answer was
   *   lost
   */
  async claim(read: Read, capacity: Capacity, token = claimToken()): Promise<Claim[]> {
    if (capacity.slots < 1) return [];
    const inFlight = JSON.stringify(Object.fromEntries(inFlightOf(capacity)));
    const rows =
      (await this.#claimFew(read, capacity, inFlight, token)) ??
      (await this.#walk(read, capacity, inFlight, token));
    const { claims, orphans } = assembleClaims(rows);
    this.#cursors.advance(capacity, claims);
    if (orphans.length > 0) await this.#deadLetter(read, orphans);
    return claims;
  }

  /** Claims all that is ready. @returns undefined if that is too much, or not to be tried */
  async #claimFew(
    read: Read,
    capacity: Capacity,
    inFlight: string,
    token: number,
  ): Promise<ClaimedRow[] | undefined> {
    const ranges = fewBetween(capacity.rateLimited ?? []);
    const limits = ranges && this.#fewReady.limits(capacity);
    if (!limits) return undefined;

    const values = [
      this.#lane,
      limits.most,
      token,
      capacity.perEndpoint,
      inFlight,
      ...limits.events,
      this.#leaseMs,
    ];

    const rows = await (ranges.length === 0
      ? read.sql<FewRow>(claimFewStatement, values)
      : read.sql<FewRow>(claimFewBetweenStatement, [...values, ...columnsOfRanges(ranges)]));
    const { more, nowMs } = rows[0] ?? { more: true, nowMs: 0 };
    this.#fewReady.tried(more, nowMs);

    return more ? undefined : rows.filter((row) => row.pendingDeliveryId !== null);
  }

  #walk(read: Read, capacity: Capacity, inFlight: string, token: number): Promise<ClaimedRow[]> {
    const {
      slots,
      perEndpoint,
      perAccount = slots,
      fast = [],
      full = [],
      rateLimited = [],
    } = capacity;

    // Slots of claims that wait for their send times are no reason to skip an endpoint.
    const limited = new Set(rateLimited.map(({ endpointId }) => endpointId));
    const passed = [...fast, ...full.filter(({ endpointId }) => !limited.has(endpointId))];
    const cursors = this.#cursors;
    return read.sql<ClaimedRow>(claimStatement, [
      this.#lane,
      cursors.cursor,
      slots,
      perEndpoint,
      inFlight,
      token,
      this.#leaseMs,
      perAccount,
      JSON.stringify(walkOf(cursors.accountCapacities(capacity), perAccount, passed)),
      fast.map(({ accountId }) => accountId),
      fast.map(({ endpointId }) => endpointId),
      cursors.fastFirst,
    ]);
  }

  /**
   * Reports a failure instead of throwing it, which would lose the claims that came with the
   * orphans.
   */
  #deadLetter(read: Read, orphans: readonly Orphan[]): Promise<void> {
    return deadLetterOrphans(read, orphans).then(this.#onDeadLettered, (error: unknown) =>
      this.#onDeadLetterFailed(error, orphans),
    );
  }
}

/** What may be claimed. An index on `lease_token` would cost a write for every claim. */
const free = 'c.ready and c.lease_token is null and c.lane = $1';

/**
 * In SQL: what the attempts of `claimed` need. An endpoint's secrets and an event are read by a range
 * in the order of their own index. The planner could otherwise walk all secrets or, by the index of
 * accounts, all events of a partition that was empty when it planned.
 * @param claimed a table of pending deliveries that says which rows carry the columns they share
 * @param events a condition that all their events `v` meet
 */
const claimedRows = (claimed: string, events = 'true') => `
    select c.id as "pendingDeliveryId", c.place as ctid, c.endpoint_id as "endpointId", c.event_id as "eventId", c.attempt,
           c.max_attempts as "maxAttempts", c.replayed_from as "replayedFrom", c.test,
           c.lease_token as token, (extract(epoch from now()) * 1000)::float8 as "claimedMs",
           e.account_id as "accountId", e.url, e.max_per_second as "maxPerSecond", e.secrets, v.type, v.version,
           v.body, v.traceparent, v.sends_traceparent as "sendsTraceparent"
      from ${claimed} c
      left join lateral (
        select e.account_id, e.url, e.max_per_second, s.secrets from endpoint e cross join lateral (
          select string_agg(s.key_id || ' ' || encode(s.sealed, 'hex'), ','
                            order by s.endpoint_id, s.id desc) as secrets
            from endpoint_secret s
           where s.endpoint_id >= e.id and s.endpoint_id <= e.id
             and (s.expires_at is null or s.expires_at > now())) s
         where c.carries_endpoint and e.id = c.endpoint_id limit 1) e on true
      left join lateral (
        select v.type, v.version, convert_from(v.body, 'UTF8') as body, v.traceparent,
               case when v.traceparent is not null then (
                 select a.sends_traceparent from account a where a.id = v.account_id limit 1)
                end as sends_traceparent
          from event v
         where c.carries_event and v.id >= c.event_id and v.id <= c.event_id and ${events}
         order by v.id limit 1) v on true`;

/** In SQL: the endpoint `of.endpoint_id`, if it receives deliveries now. */
const receiving = (of: string) => `
        cross join lateral (
          select o.event_types
            from (select * from endpoint e where e.id = ${of}.endpoint_id limit 1) o
           where o.active and o.deleted_at is null and o.cancelling_since is null) e`;

/**
 * In SQL: picks from the endpoint `of.endpoint_id` as many pending deliveries as the process has
 * capacity for. A lateral, because the planner could turn a join into a hash of whole tables.
 * @param since where the first one is due, if that is known
 */
const pick = (of: string, account: string, since = '') => `
        ${receiving(of)}
        cross join lateral (
          select c.ctid as place from pending_delivery c
           where ${free} and c.account_id = ${account} and c.endpoint_id = ${of}.endpoint_id${since}
             and (c.test or c.event_type = any (e.event_types))
           order by c.due_at
           limit greatest(0, $4::int - coalesce(($5::jsonb ->> ${of}.endpoint_id)::int, 0))
             for update skip locked) p`;

/**
 * Pending deliveries of fast endpoints, which do not count towards the limits of their accounts.
 */
const fastEndpointRows = `
      select p.place from unnest($10::text[], $11::text[]) l (account_id, endpoint_id)
        ${pick('l', 'l.account_id')}`;

/** In SQL: the first endpoint of an account after `after` and before the end of a range. */
const nextEndpoint = (after: string) => `
              select c.endpoint_id, c.due_at from pending_delivery c
               where ${free} and c.account_id = a.account_id and c.endpoint_id > ${after}
                 and c.endpoint_id < r.range ->> 1
               order by c.endpoint_id, c.due_at limit 1`;

/**
 * Claims in one statement:
 * - Walks the accounts that have ready pending deliveries, from the one after the cursor once
 *   around.
 * - Walks the endpoints of each account that has capacity, in ranges: from the one after the
 *   account's cursor once around, between its fast endpoints and those without a free slot. Each of
 *   those would cost a step past all that was claimed of it.
 * - Takes from each endpoint up to its limit, until the account's limit is reached or the slots are
 *   full.
 * Each step is one probe of the index (lane, account_id, endpoint_id, due_at), past what is claimed
 * already. A long backlog costs no more than a short one. An account at its limit costs one probe.
 */
const claimStatement: Statement = {
  name: 'pending_delivery_claim',
  text: `
    with recursive ready_account (account_id, wrapped) as (
      select n.* from (
        (select c.account_id, false as wrapped from pending_delivery c
          where ${free} and c.account_id > $2
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        union all
        (select c.account_id, true from pending_delivery c
          where ${free} order by c.account_id, c.endpoint_id, c.due_at limit 1)
        limit 1) n
      union all
      select n.* from ready_account a cross join lateral (
        (select c.account_id, a.wrapped from pending_delivery c
          where ${free} and c.account_id > a.account_id
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        union all
        (select c.account_id, true from pending_delivery c
          where ${free} and not a.wrapped
          order by c.account_id, c.endpoint_id, c.due_at limit 1)
        limit 1) n
      where not n.wrapped or n.account_id <= $2
    ), walked as (
      select p.place
        from (select a.account_id, coalesce(($9::jsonb -> a.account_id ->> 0)::int, $8::int) as room,
                     coalesce($9::jsonb -> a.account_id -> 1, '[["", "~"]]') as ranges
                from ready_account a) a
        cross join lateral (
          select p.place
            from jsonb_array_elements(a.ranges) r (range)
            cross join lateral (
              with recursive walk (endpoint_id, due_at) as (
                (${nextEndpoint('r.range ->> 0')})
                union all
                select n.* from walk w cross join lateral (${nextEndpoint('w.endpoint_id')}) n
              )
              select w.* from walk w) w
            ${pick('w', 'a.account_id', ' and c.due_at >= w.due_at')}
           limit greatest(0, a.room)) p
    ), picked as (
      select o.place from (
        (select f.place from (${fastEndpointRows}) f where $12::boolean)
        union all
        (select w.place from walked w)
        union all
        (select l.place from (${fastEndpointRows}) l where not $12::boolean)) o
       limit $3
    ), claimed as (
      update pending_delivery c
         set lease_token = $6
       where c.ctid = any (array(select p.place from picked p))
      returning c.ctid as place, c.*
    ), leased as (
      insert into lease (token, until, pending_delivery_ids)
      select $6, now() + $7::int * interval '1 millisecond', array_agg(c.id)
        from claimed c having count(*) > 0
    )
    ${claimedRows(`(
        select c.*, row_number() over (partition by c.endpoint_id) = 1 as carries_endpoint,
               row_number() over (partition by c.event_id) = 1 as carries_event
          from claimed c)`)}`,
};

/** A row of {@link claimFewStatement}. */
type FewRow = { readonly more: boolean; readonly nowMs: number } & (
  | ClaimedRow
  | { readonly pendingDeliveryId: null }
);

/**
 * Claims all ready pending deliveries of a lane if there are at most `$2` of them, and all their
 * events have ids from `$6` to below `$7`. Then no account can exceed its limit, and the walk of
 * {@link claimStatement} would claim the same rows. Otherwise it claims none and answers `more`. Each
 * answer has the clock, and a row without a pending delivery if it claims none.
 *
 * The walk has a hundred plan nodes, which PostgreSQL sets up and tears down even if one row is ready.
 * These bounds let it set up only the partitions between them (ADR 0028).
 */
export const claimFewStatement: Statement = {
  name: 'pending_delivery_claim_few',
  text: claimFewText(ready()),
};

/**
 * {@link claimFewStatement} of all that is ready in some ranges of endpoints, each without its
 * bounds: from `($9, $10)` to `($11, $12)`. What is ready between two ranges costs nothing.
 */
const claimFewBetweenStatement: Statement = {
  name: 'pending_delivery_claim_few_between',
  text: claimFewText(`
      select c.* from unnest($9::text[], $10::text[], $11::text[], $12::text[])
               g (after_account, after_endpoint, before_account, before_endpoint)
        cross join lateral (${ready(` and (c.account_id, c.endpoint_id) > (g.after_account, g.after_endpoint)
         and (c.account_id, c.endpoint_id) < (g.before_account, g.before_endpoint)`)}) c
       limit $2::int + 1`),
};

/** SQL: the first `$2` + 1 ready rows. */
function ready(condition = ''): string {
  return `
      select c.ctid as place, c.endpoint_id, c.event_id, c.event_type, c.test, c.due_at
        from pending_delivery c
       where ${free}${condition}
       order by c.account_id, c.endpoint_id, c.due_at limit $2::int + 1`;
}

function claimFewText(few: string): string {
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
         select p.place
           from (select f.place, f.endpoint_id,
                        row_number() over (partition by f.endpoint_id order by f.due_at) as place_in_endpoint
                   from few f ${receiving('f')}
                  where not (select a.more from asked a)
                    and (f.test or f.event_type = any (e.event_types))) f
          cross join lateral (
            select c.ctid as place from pending_delivery c
             where c.ctid = f.place and ${free} for update skip locked) p
          where f.place_in_endpoint <= $4::int - coalesce(($5::jsonb ->> f.endpoint_id)::int, 0)))
      returning c.ctid as place, c.*
    ), leased as (
      insert into lease (token, until, pending_delivery_ids)
      select $3, now() + $8::int * interval '1 millisecond', array_agg(c.id)
        from claimed c having count(*) > 0
    )
    select a.*, c.* from asked a left join (${claimedRows(
      '(select c.*, true as carries_endpoint, true as carries_event from claimed c)',
      'v.id >= $6 and v.id < $7',
    )}) c on true`;
}

/**
 * A pending delivery that was claimed. Columns that the claims of an endpoint or event share are
 * set in one of their rows only.
 */
interface ClaimedRow {
  readonly pendingDeliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly replayedFrom: string | null;
  readonly test: boolean;
  readonly token: number;
  readonly ctid: string;
  readonly claimedMs: number;
  readonly accountId: string | null;
  readonly url: string | null;
  readonly maxPerSecond: number | null;
  /** `<key id> <hex>` of each, newest first. One text costs a tenth of two arrays to read. */
  readonly secrets: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly body: string | null;
  readonly traceparent: string | null;
  readonly sendsTraceparent: boolean | null;
}

type ClaimedEndpoint = Pick<Claim, 'accountId' | 'url' | 'maxPerSecond' | 'secrets'>;

interface Claimed {
  readonly claims: Claim[];
  /** Pending deliveries whose events are past retention. */
  readonly orphans: readonly ClaimedRow[];
}

/**
 * Copies shared columns to all rows. Each row that has its event becomes a claim, the others are
 * orphans.
 */
function assembleClaims(rows: readonly ClaimedRow[]): Claimed {
  const events = new Map<string, ClaimedEvent>();
  const endpoints = new Map<string, ClaimedEndpoint>();

  for (const row of rows) {
    const { eventId, type, version, body, endpointId, accountId, url, maxPerSecond, secrets } = row;
    if (type !== null && version !== null && body !== null) {
      const event = { id: eventId, type, version, body: Buffer.from(body) };
      const { traceparent, sendsTraceparent } = row;
      if (traceparent === null) events.set(eventId, event);
      else
        events.set(eventId, { ...event, traceparent, sendsTraceparent: sendsTraceparent === true });
    }

    if (accountId !== null && url !== null) {
      endpoints.set(endpointId, {
        accountId,
        url,
        maxPerSecond,
        secrets: sealedSecrets(secrets ?? ''),
      });
    }
  }

  const claimedAt = new Date(rows[0]?.claimedMs ?? 0);
  const claims = rows.flatMap((row) => {
    const { pendingDeliveryId, token, ctid, endpointId } = row;
    const { attempt, maxAttempts, replayedFrom, test } = row;
    const event = events.get(row.eventId);
    const endpoint = endpoints.get(endpointId);
    if (!event || !endpoint) return [];

    const { accountId, url, maxPerSecond, secrets } = endpoint;
    return {
      pendingDeliveryId,
      token,
      ctid,
      accountId,
      endpointId,
      url,
      maxPerSecond,
      secrets,
      event,
      attempt,
      maxAttempts,
      replayedFrom,
      test,
      claimedAt,
    };
  });
  return { claims, orphans: rows.filter(({ eventId }) => !events.has(eventId)) };
}

function sealedSecrets(text: string): SealedSecret[] {
  if (text === '') return [];
  return text.split(',').map((entry) => {
    const [keyId = '', hex = ''] = entry.split(' ');
    return { keyId, sealed: Buffer.from(hex, 'hex') };
  });
}

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

/** Compares in the order of `collate "C"`. */
function byCode(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** Rows of a claim of everything that is ready, at most: each brings its own body. */
const maxSmallClaim = 32;
/** Below this capacity no small claim is tried: it would usually fail. */
const minSmallClaim = 4;
const minWalks = 4;
const maxWalks = 64;
const dayMs = 86_400_000;

/** What a claim of all that is ready may take. */
interface FewLimits {
  readonly most: number;
  /** The first id of events, and the first after them. */
  readonly events: readonly [string, string];
}

/**
 * Decides whether a claim first tries to take all that is ready. It does not for the next claims after
 * more was ready than that: for 4, then for twice as many each time, at most 64.
 */
export class SmallClaimBackoff {
  /** Without a reading of the database's clock the range is empty, and nothing is claimed. */
  #events: FewLimits['events'] = ['', ''];
  #walks = 0;
  #nextWalks = minWalks;

  /** Returns what to try, or undefined. */
  limits({ slots, perAccount = slots, accounts }: Capacity): FewLimits | undefined {
    if (this.#walks > 0) {
      this.#walks -= 1;
      return undefined;
    }
    const most = Math.min(maxSmallClaim, slots, perAccount, ...(accounts?.values() ?? []));
    return most < minSmallClaim ? undefined : { most, events: this.#events };
  }

  /**
   * Backs off when more was ready than a small claim may take.
   * @param nowMs by the database's clock. The next try names events of the day before and after it
   */
  tried(more: boolean, nowMs: number): void {
    this.#walks = more ? this.#nextWalks : 0;
    this.#nextWalks = more ? Math.min(2 * this.#nextWalks, maxWalks) : minWalks;
    const at = (ms: number) => smallestId('evt', new Date(ms));
    this.#events = [at(nowMs - dayMs), at(nowMs + dayMs)];
  }
}
