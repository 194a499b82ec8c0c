// The candidates of a recovery: the events that an endpoint failed to take or missed.
//
// No table lists them. One statement with a bounded cost walks the events of the account in the order of
// their ids, and looks for the records and the pending delivery of each by their indexes. The filter of the
// endpoint applies as it is now: for it the statement reads bodies, too, of at most 8 MiB.
import type { Read, Statement } from '../transaction/tx.js';
import { smallestId, timestampOf } from '../values/id.js';
import type { RecoveryKind } from './recovery.entity.js';

/** An event to send again. */
export interface Candidate {
  readonly id: string;
  readonly type: string;
  /** Its latest delivery record at the endpoint; null for a missed event. */
  readonly latest: string | null;
  /** How many bytes the event has. */
  readonly bodyBytes: number;
}

/** Which events a recovery sends again, in the order of their ids. */
interface CandidateQuery {
  readonly accountId: string;
  readonly endpointId: string;
  /** Only ids greater than this. */
  readonly after: string;
  /** Only ids smaller than this. */
  readonly before: string;
  readonly what: RecoveryKind;
  /** The time from which missed events are sent, by type. */
  readonly types: ReadonlyMap<string, Date>;
  /** The filter of the endpoint, as a jsonpath; null without one. */
  readonly filterPath: string | null;
  /** At most this many candidates are returned. */
  readonly limit: number;
  /** At most this many events of the account are read. */
  readonly events: number;
}

/** The candidates that one statement found. */
interface Candidates {
  readonly candidates: readonly Candidate[];
  /** The id of the last event that was read; null when there was none beyond. */
  readonly bound: string | null;
}

/** The id of a record holds its worker's estimate of the time, which can lag behind by this much. */
export const clockSlackMs = 3_600_000;

/**
 * In SQL: the records of event `event` at endpoint $2, in the partitions from $3 on. Compares the
 * endpoint by an expression: the planner could choose an index of all its records.
 */
export const recordsOf = (event: string) => `delivery d
           where d.event_id = ${event} and d.endpoint_id || '' = $2 and d.id >= $3`;

/** In SQL: whether endpoint $2 has a pending delivery of event `event`, a dead letter too. */
export const isPending = (event: string) => `(select true from pending_delivery c
             where c.endpoint_id = $2 and c.event_id = ${event} limit 1) is not null`;

/**
 * In SQL: the deliveries in the lane of recoveries of an endpoint that had no attempt: ready, or waiting for the turn
 * of their subject.
 */
export const untriedOf = (account: string, endpoint: string) => `
                   select c.id, c.event_id from pending_delivery c
                    where c.ready and c.lane = 'recovery' and c.account_id = ${account}
                      and c.endpoint_id = ${endpoint}
                    union all
                   select c.id, c.event_id from pending_delivery c
                    where c.lane = 'recovery' and c.due_at = 'infinity'
                      and c.account_id = ${account} and c.endpoint_id = ${endpoint}`;

/** Returns the smallest id of records of an event, with which their partitions begin. */
export function oldestRecord(eventId: string): string {
  return smallestId('whd', new Date(Math.max(0, timestampOf(eventId).getTime() - clockSlackMs)));
}

/**
 * In SQL: the events `v` of account $1 after $4 and before $5. Account and id are compared as a row, so
 * that only their common index has the order (ADR 0041). The id by itself picks the partitions.
 */
const inRange = `(v.account_id, v.id) > ($1, $4) and (v.account_id, v.id) < ($1, $5)
                   and v.id > $4 and v.id < $5`;

/**
 * In SQL: walks the events of one account in the order of their ids:
 * - at most $10 of them, of all types; `bound` is the last of these;
 * - leaves out test events and those that were published for one endpoint alone;
 * - looks for the records and the pending delivery of each remaining event by their indexes.
 * An event without a success is failed if it has a record, and missed if it has none.
 */
const walk = (candidates: string) => `
    with bound as materialized (
      select v.id from event v
       where ${inRange}
       order by v.account_id, v.id offset $10::int - 1 limit 1
    )
    select b.id as bound, f.*
      from (select (select b.id from bound b) as id) b
      left join lateral (${candidates}
         order by v.account_id, v.id limit $9::int) f on true`;

/** In SQL: the candidates of a {@link walk}, with further columns of `v`. */
const candidatesWith = (columns: string) => `
        select v.id, v.type, r.latest, v.body_bytes as "bodyBytes"${columns}
          from (select v.account_id, v.id, v.type, v.created_at, v.body,
                       octet_length(v.body) as body_bytes
                  from event v
                 where ${inRange} and v.id <= coalesce(b.id, $5)
                   and not v.test and v.endpoint_id is null and v.type = any ($6::text[])
                 order by v.account_id, v.id) v
          cross join lateral (
            select max(d.id) as latest, bool_or(d.status = 'success') as delivered
              from ${recordsOf('v.id')}) r
         where r.delivered is not true
           and case when r.latest is not null then $8::text <> 'missed'
                    else $8::text <> 'failed'
                         and v.created_at >= ($7::timestamptz[])[array_position($6::text[], v.type)]
               end
           and not ${isPending('v.id')}`;

const candidatesStatement: Statement = {
  name: 'recovery_candidates',
  text: walk(candidatesWith('')),
};

/** For a filter, a statement reads bodies of at most this size. */
const maxFilteredBytes = 8 * 1_048_576;

/** What evaluating a filter counts as in addition to the bytes, so that there is a limit for small events, too. */
const bytesPerEvaluation = 4_096;

/**
 * Finds candidates that match the filter $11. The first one beyond {@link maxFilteredBytes} is not evaluated: its
 * `matches` is null, and `previous` is the last one that was.
 */
const filteredStatement: Statement = {
  name: 'recovery_candidates_filtered',
  text: walk(`
        select v.id, v.type, v.latest, v."bodyBytes", v.matches, v.previous
          from (select c.*,
                       case when c.read <= ${maxFilteredBytes} then
                         (convert_from(c.body, 'UTF8')::jsonb @@ $11::jsonpath) is true end as matches
                  from (select v.*, lag(v.id) over walked as previous,
                               sum(v."bodyBytes" + ${bytesPerEvaluation}) over walked as read
                          from (${candidatesWith(', v.account_id, v.body')}) v
                        window walked as (order by v.account_id, v.id rows unbounded preceding)) c
                offset 0) v
         where v.matches is not false`),
};

/** Finds the next candidates of a recovery in one statement whose cost is bounded. */
export async function findCandidates(
  read: Pick<Read, 'sql'>,
  query: CandidateQuery,
): Promise<Candidates> {
  type Row = { readonly bound: string | null } & {
    [Name in keyof Candidate]: Candidate[Name] | null;
  } & {
    /** Only with a filter; null for the first candidate that was not evaluated. */
    readonly matches?: boolean | null;
    readonly previous?: string | null;
  };

  const { accountId, endpointId, after, before, what, types, filterPath, limit, events } = query;
  const statement = filterPath === null ? candidatesStatement : filteredStatement;
  const found = await read.sql<Row>(statement, [
    accountId,
    endpointId,
    oldestRecord(after),
    after,
    before,
    [...types.keys()],
    [...types.values()].map((at) => at.toISOString()),
    what,
    limit,
    events,
    ...(filterPath === null ? [] : [filterPath]),
  ]);

  const end = found.findIndex(({ id, matches }) => id !== null && matches === null);
  const rows = end === -1 ? found : found.slice(0, end);
  const candidates = rows.flatMap(({ id, type, latest, bodyBytes }) =>
    id === null || type === null ? [] : [{ id, type, latest, bodyBytes: bodyBytes ?? 0 }],
  );
  const bound = end === -1 ? found[0]?.bound : found[end]?.previous;
  return { candidates, bound: bound ?? null };
}

/** The event types of an endpoint, since when it subscribes to them, and its filter as a jsonpath. */
export interface Subscriptions {
  readonly eventTypes: readonly string[];
  /** A time by type; the endpoint subscribes to the others since its creation. */
  readonly subscribedSince: Readonly<Record<string, string>> | null;
  readonly createdAt: Date;
  readonly filterPath: string | null;
}

/**
 * Returns the types that a recovery covers, each with the time from which missed events are sent.
 * @param wanted null for all subscribed types; others are left out
 */
export function recoveredTypes(
  { eventTypes, subscribedSince, createdAt }: Omit<Subscriptions, 'filterPath'>,
  wanted: readonly string[] | null,
  includeBefore: boolean,
): ReadonlyMap<string, Date> {
  const since = (type: string) => {
    if (includeBefore) return new Date(0);
    const later = subscribedSince?.[type];
    return later === undefined ? createdAt : new Date(later);
  };
  const covered = eventTypes.filter((type) => wanted === null || wanted.includes(type));
  return new Map(covered.map((type) => [type, since(type)]));
}
