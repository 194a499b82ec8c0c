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
  /** Attempts per endpoint that the process keeps in flight. */
  readonly perEndpoint: number;
  /** Attempts in flight, of endpoints that have any. */
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
      select p.id
        from walk w
        cross join lateral (
          select e.event_types from endpoint e
           where e.id = w.endpoint_id and e.active and e.deleted_at is null
             and e.cancelling_since is null limit 1) e
        cross join lateral (
          select c.id from chain c
           where c.ready and c.lane = $1 and c.endpoint_id = w.endpoint_id
             and (c.test or c.event_type = any (e.event_types))
           order by c.due_at
           limit greatest(0, $4::int - coalesce(($5::jsonb ->> w.endpoint_id)::int, 0))
             for update skip locked) p
       limit $3
    ), claimed as (
      update chain c
         set ready = false, lease_token = $6, due_at = now() + $7::int * interval '1 millisecond'
       where c.id = any (array(select p.id from picked p))
      returning c.*
    )
    select c.id as "chainId", c.lease_token as token, c.account_id as "accountId",
           c.endpoint_id as "endpointId", e.url, e.secrets, c.attempt,
           c.max_attempts as "maxAttempts",
           c.replayed_from as "replayedFrom", c.test, now() as "claimedAt",
           c.event_id as "eventId", v.type, v.version,
           case when row_number() over (partition by c.event_id) = 1 then v.body end as body
      from claimed c
      cross join lateral (
        select e.url, s.secrets from endpoint e cross join lateral (
          select string_agg(s.key_id || ' ' || encode(s.sealed, 'hex'), ',' order by s.id desc)
                   as secrets
            from endpoint_secret s
           where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now())) s
         where e.id = c.endpoint_id limit 1) e
      cross join lateral (
        select v.type, v.version, v.body from event v where v.id = c.event_id limit 1) v`,
};

interface Row extends Omit<Claim, 'secrets' | 'event'> {
  /** `<key id> <hex>` of each, newest first; one text costs a tenth of two arrays to read. */
  readonly secrets: string | null;
  readonly eventId: string;
  readonly type: string;
  readonly version: string;
  readonly body: Buffer | null;
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

function claimsOf(rows: readonly Row[]): Claim[] {
  const events = new Map<string, ClaimedEvent>();
  for (const { eventId, type, version, body } of rows) {
    // The bytes travel once per event, however many endpoints they are for.
    if (body) events.set(eventId, { id: eventId, type, version, body });
  }
  const secrets = new Map<string, readonly SealedSecret[]>();
  return rows.flatMap((row) => {
    const event = events.get(row.eventId);
    if (!event) return [];
    const sealed = row.secrets ?? '';
    const known = secrets.get(sealed) ?? sealedSecrets(sealed);
    secrets.set(sealed, known);
    return {
      chainId: row.chainId,
      token: row.token,
      accountId: row.accountId,
      endpointId: row.endpointId,
      url: row.url,
      secrets: known,
      event,
      attempt: row.attempt,
      maxAttempts: row.maxAttempts,
      replayedFrom: row.replayedFrom,
      test: row.test,
      claimedAt: row.claimedAt,
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
