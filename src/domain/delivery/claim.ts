import { randomInt } from 'node:crypto';
import type { SealedSecret } from '../endpoint/sealer.js';
import type { Read, Statement } from '../tx.js';

/** The event whose bytes an attempt sends; shared by all claims of one call. */
export interface ClaimedEvent {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  readonly body: Buffer;
}

/** The right to make one attempt, until its lease ends; everything the attempt needs. */
export interface Claim {
  readonly chainId: string;
  /** Fences the settlement: a chain that somebody else has claimed since does not settle. */
  readonly token: number;
  readonly accountId: string;
  readonly endpointId: string;
  readonly url: string;
  /** Those that sign, newest first, sealed for the endpoint's id (H24). */
  readonly secrets: readonly SealedSecret[];
  readonly event: ClaimedEvent;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly replayedFrom: string | null;
  readonly test: boolean;
  /** By the database's clock; attempts are dated from here with a monotonic clock. */
  readonly claimedAt: Date;
}

/**
 * Which chains are claimed: first attempts of replays (H76.8), those that processes have died with
 * again and again, or everything else.
 */
export type Lane = 'live' | 'replay' | 'alone';

/** How much a process can take on. */
export interface Room {
  /** Attempts that the process can start. */
  readonly slots: number;
  /** Attempts that the process keeps in flight per endpoint, of those not named in `inFlight`. */
  readonly perEndpoint: number;
  /** Attempts in flight by endpoint; less, down to below zero, for one that may have more. */
  readonly inFlight: ReadonlyMap<string, number>;
}

/** Settings of the connections that claim and settle. */
export const engineServerSettings: Readonly<Record<string, string>> = {
  // A plan made while the tables are empty sorts and scans, and it is kept: 1,000 ms instead of 8 (ADR 0007).
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_sort: 'off',
};

/**
 * Walks the endpoints that have ready chains, from one after the cursor once around; takes from each
 * what it has room for, until the slots are filled. Each step is one probe of the index
 * (lane, endpoint_id, due_at), so a long backlog costs no more than a short one. Laterals, not
 * joins, because a join could be planned as a hash of everything.
 */
const claimStatement: Statement = {
  name: 'chain_claim',
  text: `
    with recursive walk (endpoint_id, wrapped) as (
      select n.endpoint_id, n.wrapped from (
        (select c.endpoint_id, false as wrapped from chain c
          where c.ready and c.lane = $1 and c.endpoint_id > $2 order by c.endpoint_id limit 1)
        union all
        (select c.endpoint_id, true from chain c
          where c.ready and c.lane = $1 order by c.endpoint_id limit 1)
        limit 1) n
      union all
      select n.endpoint_id, n.wrapped from walk w cross join lateral (
        (select c.endpoint_id, w.wrapped from chain c
          where c.ready and c.lane = $1 and c.endpoint_id > w.endpoint_id
          order by c.endpoint_id limit 1)
        union all
        (select c.endpoint_id, true from chain c
          where c.ready and c.lane = $1 and not w.wrapped order by c.endpoint_id limit 1)
        limit 1) n
      where not n.wrapped or n.endpoint_id <= $2
    ), picked as (
      select p.place
        from walk w
        cross join lateral (
          select e.event_types from endpoint e
           where e.id = w.endpoint_id and e.active and e.deleted_at is null
             and e.cancelling_since is null limit 1) e
        cross join lateral (
          select c.ctid as place from chain c
           where c.ready and c.lane = $1 and c.endpoint_id = w.endpoint_id
             and (c.test or c.event_type = any (e.event_types))
           order by c.due_at
           limit greatest(0, $4::int - coalesce(($5::jsonb ->> w.endpoint_id)::int, 0))
             for update skip locked) p
       limit $3
    ), claimed as (
      update chain c
         set ready = false, lease_token = $6, due_at = now() + $7::int * interval '1 millisecond'
       where c.ctid = any (array(select p.place from picked p))
      returning c.*
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
          select string_agg(s.key_id || ' ' || encode(s.sealed, 'hex'), ',' order by s.id desc)
                   as secrets
            from endpoint_secret s
           where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now())) s
         where c.tells_endpoint and e.id = c.endpoint_id limit 1) e on true
      left join lateral (
        select v.type, v.version, convert_from(v.body, 'UTF8') as body from event v
         where c.tells_event and v.id = c.event_id limit 1) v on true`,
};

/** What an endpoint's or an event's claims have in common travels once, with one of their rows. */
interface Row {
  readonly chainId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly replayedFrom: string | null;
  readonly test: boolean;
  readonly token: number;
  readonly claimedMs: number;
  readonly accountId: string | null;
  readonly url: string | null;
  /** `<key id> <hex>` of each, newest first; one text costs a tenth of two arrays to read. */
  readonly secrets: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly body: string | null;
}

/**
 * Claims due chains for one process: fair between endpoints, at most one claim per chain, in one
 * statement and one round trip. Remembers where it stopped and goes on from there.
 */
export class Claimer {
  readonly #lane: Lane;
  readonly #leaseMs: number;
  #cursor = '';

  /** @param leaseMs how long a claim lasts; more than an attempt and its settlement can take */
  constructor(lane: Lane, leaseMs: number) {
    this.#lane = lane;
    this.#leaseMs = leaseMs;
  }

  /** Claims what there is room for; empty when nothing is ready that the process has room for. */
  async claim(read: Read, { slots, perEndpoint, inFlight }: Room): Promise<Claim[]> {
    if (slots < 1) return [];
    const rows = await read.sql<Row>(claimStatement, [
      this.#lane,
      this.#cursor,
      slots,
      perEndpoint,
      JSON.stringify(Object.fromEntries(inFlight)),
      randomInt(1, 2 ** 48 - 1),
      this.#leaseMs,
    ]);
    this.#advance(rows.map(({ endpointId }) => endpointId));
    return claimsOf(rows);
  }

  #advance(endpointIds: readonly string[]): void {
    const wrapped = endpointIds.filter((id) => id <= this.#cursor);
    const last = wrapped.length > 0 ? wrapped : endpointIds;
    this.#cursor = last.reduce((one, other) => (one > other ? one : other), '');
  }
}

type ClaimedEndpoint = Pick<Claim, 'accountId' | 'url' | 'secrets'>;

function claimsOf(rows: readonly Row[]): Claim[] {
  const events = new Map<string, ClaimedEvent>();
  const endpoints = new Map<string, ClaimedEndpoint>();
  for (const { eventId, type, version, body, endpointId, accountId, url, secrets } of rows) {
    if (type !== null && version !== null && body !== null) {
      events.set(eventId, { id: eventId, type, version, body: Buffer.from(body) });
    }
    if (accountId !== null && url !== null) {
      endpoints.set(endpointId, { accountId, url, secrets: sealedSecrets(secrets ?? '') });
    }
  }
  const claimedAt = new Date(rows[0]?.claimedMs ?? 0);
  return rows.flatMap((row) => {
    const { chainId, token, endpointId, attempt, maxAttempts, replayedFrom, test } = row;
    const event = events.get(row.eventId);
    const endpoint = endpoints.get(endpointId);
    if (!event || !endpoint) return [];
    const { accountId, url, secrets } = endpoint;
    return {
      chainId,
      token,
      accountId,
      endpointId,
      url,
      secrets,
      event,
      attempt,
      maxAttempts,
      replayedFrom,
      test,
      claimedAt,
    };
  });
}

function sealedSecrets(text: string): SealedSecret[] {
  if (text === '') return [];
  return text.split(',').map((entry) => {
    const [keyId = '', hex = ''] = entry.split(' ');
    return { keyId, sealed: Buffer.from(hex, 'hex') };
  });
}
