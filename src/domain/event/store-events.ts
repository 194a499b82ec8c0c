// The transactional outbox: one statement stores events with their bytes, and a pending delivery for each
// endpoint that receives them. Both are committed together, so an event that was accepted is delivered,
// whatever is lost later.
//
// The statement also decides: unknown accounts and types, full accounts, outdated schemas and used keys
// are found by it, without a look-up beforehand. What it does not store has no effect on the others.
import { DomainError, notFound, validationFailed } from '../errors.js';
import { attemptsOf, type RetryPolicy, retrySchedules } from '../transaction/rules.js';
import { Lru } from '../lru.js';
import {
  arrayLiteral,
  confirmedByStandby,
  subjectKeyOf,
  subjectNumberOf,
} from '../transaction/sql.js';
import type { Read, Statement } from '../transaction/tx.js';
import type { OrderedSubject } from '../transaction/wakeup.js';
import type { PreparedEvent } from './prepare-event.js';

/** A published event. */
export interface Published {
  readonly id: string;
  /** False if the same content was published with this key before. */
  readonly created: boolean;
}

/** Thrown or returned when the schemas of a type are newer than those that data was compared with. */
export class SchemaOutdated extends Error {
  constructor(readonly type: string) {
    super(`The schemas of the event type ${type} must be read.`);
    this.name = 'SchemaOutdated';
  }
}

/**
 * What became of an event. `unresolved`: another transaction committed its key while the statement
 * ran, which therefore cannot see the event of that key; or its account has filters, which this process did not know.
 * Store it again.
 */
export type StoreResult = Published | DomainError | SchemaOutdated | 'unresolved';

/** Whether the statement stored the event. */
export function isStored(result: StoreResult | undefined): boolean {
  return typeof result === 'object' && 'created' in result && result.created;
}

/** How much a group fanned out. */
export interface GroupFanOut {
  /** Its pending deliveries, and {@link filterCost} for each endpoint with a filter, whether it matched or not. */
  readonly fanOut: number;
  /** The same for each account and type, by name. Null if it is at most {@link namedFrom}, and for a single event. */
  readonly named: Readonly<Record<string, number>> | null;
}

/** What one statement did. */
export interface StoreAnswer extends GroupFanOut {
  /** How many pending deliveries it made. */
  readonly pendingDeliveries: number;
  /** In the order of the events. */
  readonly results: readonly StoreResult[];
  /** How many events it stored. */
  readonly stored: number;
  /** PostgreSQL's clock during the statement, in milliseconds since 1970. */
  readonly clockMs: number;
  /** Whether its commit notified a channel. */
  readonly signalled: boolean;
  /** The subject of each pending delivery that waits for its turn; null for none. */
  readonly subjects: readonly OrderedSubject[] | null;
}

/** What PostgreSQL found about an event that it did not store. */
interface NotStored {
  readonly accountKnown: boolean;
  /** Whether an endpoint of it has, or had, a filter, which {@link unfiltered} statements do not know. */
  readonly hasFilters: boolean | null;
  /** Whether its pending deliveries have reached the limit. */
  readonly accountFull: boolean;
  readonly typeKnown: boolean;
  /** Whether its data was compared with the current schemas of its type. */
  readonly schemaCurrent: boolean | null;
  /** The event that has its key; null if another transaction committed that key a moment ago. */
  readonly earlier: string | null;
  /** Whether that event has the same content. */
  readonly same: boolean | null;
}

type Row = Pick<StoreAnswer, 'clockMs' | 'pendingDeliveries' | 'signalled' | 'subjects'> &
  GroupFanOut &
  NotStored & { readonly place: number | null };

/** After this time a caller may try again: workers count full accounts every few seconds. */
const pendingRetrySeconds = 10;

/** The accounts of which this process knows that they have filters. */
const filtering = new Lru<true>(10_000);

/** Whether this process knows that an account has filters. */
export function isFiltering(accountId: string): boolean {
  return filtering.get(accountId) !== undefined;
}

/** How to store events. */
export interface StoreOptions {
  /** Whether to accept types that were removed from the catalogue, and full accounts. Defaults to false. */
  readonly acceptUnlisted?: boolean;
  /** How long the statement waits for a key before it fails. Defaults to the connection's setting. */
  readonly lockTimeoutMs?: number;
  /**
   * The channel that the commit notifies if there are pending deliveries, unless another commit is
   * doing so: each would wait for the one before. Defaults to no channel.
   */
  readonly notify?: string | undefined;
}

/**
 * Stores events and their pending deliveries in one statement. Either all of them have keys, each
 * at most once, or none.
 */
export async function storeEvents(
  { sql, rules }: Pick<Read, 'sql' | 'rules'>,
  events: readonly PreparedEvent[],
  { acceptUnlisted = false, lockTimeoutMs, notify }: StoreOptions = {},
): Promise<StoreAnswer> {
  const attempts = attemptsBySchedule(rules.retry);
  const columns = [...columnsOf(events), attempts, acceptUnlisted, ...schemaColumnsOf(events)];
  const traceparents = arrayLiteral(events.map(({ traceparent }) => traceparent ?? null));
  const values = [...columns, notify ?? null, traceparents];
  const keyed = events[0]?.key !== undefined;
  const size = events.length === 1 ? 'one' : 'group';
  const mayFilter = events.some(({ accountId }) => isFiltering(accountId));
  const statements = mayFilter ? filteredStatements : statementsWithoutFilters;
  const rows = await (keyed
    ? sql<Row>(statements.keyed[size], [
        ...values,
        ...keysOf(events),
        lockTimeoutMs?.toString() ?? null,
      ])
    : sql<Row>(statements.plain[size], values));

  for (const { place, hasFilters } of rows) {
    const event = place === null ? undefined : events[place];
    if (event && hasFilters === true) filtering.set(event.accountId, true);
  }

  const [first] = rows;
  if (!first) throw new Error('event_publish returned no row');

  const notStored = new Map(rows.map((row) => [row.place, row]));
  const results = events.map((event, place) => resultOf(event, notStored.get(place)));
  const stored = events.length - rows.filter(({ place }) => place !== null).length;
  const { pendingDeliveries, fanOut, named, signalled, subjects, clockMs } = first;
  return { results, stored, pendingDeliveries, fanOut, named, signalled, subjects, clockMs };
}

function resultOf({ id, type }: PreparedEvent, notStored: NotStored | undefined): StoreResult {
  if (!notStored) return { id, created: true };
  const { accountKnown, accountFull, typeKnown, schemaCurrent, earlier, same } = notStored;
  if (!accountKnown) return notFound('account');
  if (notStored.hasFilters === true) return 'unresolved';
  if (!typeKnown) {
    const detail = `Unknown event type: ${type}`;
    return validationFailed([{ code: 'unknown_event_type', detail, param: 'type' }]);
  }
  if (schemaCurrent !== true) return new SchemaOutdated(type);
  if (earlier === null) return accountFull ? pendingLimitReached() : 'unresolved';
  return same ? { id: earlier, created: false } : keyConflict();
}

function pendingLimitReached(): DomainError {
  return new DomainError(
    'pending_limit_reached',
    'Too many deliveries of the account are pending. Publish again when receivers have accepted some.',
    undefined,
    pendingRetrySeconds,
  );
}

/** Makes the error for a key that was used for other content. */
export function keyConflict(): DomainError {
  return new DomainError(
    'event_key_conflict',
    'This key was already used for an event with different content. Use another key.',
  );
}

/** Passes arrays as text, and all bodies in one buffer: pg would write an array of buffers as hexadecimal. */
function columnsOf(events: readonly PreparedEvent[]): unknown[] {
  let end = 1;
  const starts = events.map(({ body }) => (end += body.length) - body.length);
  const bodies = events.map(({ body }) => body);
  return [
    arrayLiteral(events.map(({ id }) => id)),
    arrayLiteral(events.map(({ accountId }) => accountId)),
    arrayLiteral(events.map(({ type }) => type)),
    arrayLiteral(events.map(({ subject }) => subject)),
    arrayLiteral(events.map(({ endpointId }) => endpointId)),
    arrayLiteral(events.map(({ test }) => test)),
    arrayLiteral(events.map(({ time }) => time)),
    arrayLiteral(starts),
    arrayLiteral(bodies.map(({ length }) => length)),
    bodies.length === 1 ? bodies[0] : Buffer.concat(bodies),
  ];
}

function schemaColumnsOf(events: readonly PreparedEvent[]): unknown[] {
  return [
    arrayLiteral(events.map(({ version }) => version)),
    arrayLiteral(events.map(({ revision }) => revision)),
  ];
}

function keysOf(events: readonly PreparedEvent[]): unknown[] {
  return [
    arrayLiteral(events.map(({ key }) => key?.text ?? null)),
    arrayLiteral(events.map(({ key }) => key?.fingerprint ?? null)),
  ];
}

/** The attempts of a delivery by retry schedule, as JSON. */
function attemptsBySchedule(retry: RetryPolicy): string {
  const attempts = retrySchedules(retry).map(({ name }) => [name, attemptsOf(retry, name)]);
  return JSON.stringify(Object.fromEntries(attempts));
}

/** The parts of the statement that only events with keys need. */
interface KeyParts {
  readonly wait: string;
  readonly arrays: string;
  readonly columns: string;
  readonly taken: string;
  /** Which events are stored, of those that pass. */
  readonly storable: string;
  readonly earlier: string;
}

const withoutKeys: KeyParts = {
  wait: '',
  arrays: '',
  columns: '',
  taken: '',
  storable: 'i.passes',
  earlier: 'left join (select null as event_id, null::boolean as same) k on true',
};

// Keys are taken in one order, so two groups never wait for each other. A key that has its event is
// only read: taking it would lock its row, and wait for others that do.
const withKeys: KeyParts = {
  wait: `(select set_config('lock_timeout', coalesce($19, current_setting('lock_timeout')), true)) w,`,
  arrays: ', (select $17::text[]), (select $18::text[])',
  columns: ', key, fingerprint',
  taken: `taken as (
      insert into publish_key as k (account_id, key, fingerprint, event_id, expires_at)
      select i.account_id, i.key, decode(i.fingerprint, 'hex'), i.id, now() + interval '30 days'
        from input i
       where i.passes and (select true from publish_key k
                            where k.account_id = i.account_id and k.key = i.key
                              and k.expires_at > now() limit 1) is null
       order by i.account_id, i.key
      on conflict (account_id, key) do update
         set fingerprint = excluded.fingerprint, event_id = excluded.event_id,
             expires_at = excluded.expires_at
       where k.expires_at <= now()
      returning k.event_id
    ),`,
  storable: 'i.passes and i.id in (select t.event_id from taken t)',
  earlier: `left join lateral (
          select case when ${confirmedByStandby} then k.event_id end as event_id,
                 k.fingerprint = decode(i.fingerprint, 'hex') as same
            from publish_key k
           where k.account_id = i.account_id and k.key = i.key and k.expires_at > now()
           limit 1) k on true`,
};

/**
 * How many pending deliveries an endpoint with a filter counts as in the size of a group: the most expensive filter takes
 * about as long as ten of them.
 */
const filterCost = 10;

/**
 * What group commit assumes of an account and type until a group has shown it: an event makes at most `perEvent`
 * pending deliveries, and a group has at most `events` of them.
 */
export const unknownFanOut = { perEvent: 40, events: 10 } as const;

/**
 * Above this fan-out the statement says how large that of each account and type is. With less, none can have made more
 * than group commit assumed.
 */
const namedFrom = unknownFanOut.perEvent * unknownFanOut.events;

const namedFanOuts = (keys: KeyParts, { filteredNames }: FilterParts) => `
               case when m.count + m.filtered > ${namedFrom} then (
                 select json_object_agg(f.name, f.count)
                   from (select m.account_id || ' ' || m.event_type as name, count(*)
                           from ${filteredNames(keys)} m group by 1) f)
               end`;

/** A lone event needs no names, and PostgreSQL would prepare that subquery each time. */
const unnamed = () => 'null::json';

/** The parts of the statement that only events of accounts with filters need. */
interface FilterParts {
  readonly suffix: string;
  /** Of an account `a`: whether this statement may store its events. */
  readonly passes: string;
  readonly hasFilters: string;
  /** How many endpoints with a filter subscribe to an event `i`. */
  readonly filtered: string;
  /** A further row of the event `i`, with its `json`. */
  readonly json: string;
  /** Whether an endpoint `e` gets it. */
  readonly matches: string;
  /** The sum of `filtered` of the stored events. */
  readonly sum: (keys: KeyParts) => string;
  /** Account and type of each pending delivery, and as often as they cost, of each endpoint with a filter. */
  readonly filteredNames: (keys: KeyParts) => string;
}

/** Without filters a publish does not pay for them: what tells is in the row of the account, which it reads anyway. */
const unfiltered: FilterParts = {
  suffix: '',
  passes: 'a.has_filters is not true',
  hasFilters: 'i.has_filters',
  filtered: '',
  json: '',
  matches: 'true',
  sum: () => '0',
  filteredNames: () => 'added',
};

const withFilters: FilterParts = {
  suffix: '_filtered',
  passes: 'true',
  hasFilters: 'null::boolean',
  filtered: `,
             (select count(*)::int from endpoint e
               where e.account_id = i.account_id and e.deleted_at is null and e.active
                 and e.filter_path is not null
                 and i.endpoint_id is null and i.type = any (e.event_types)) as filtered`,
  json: `
        cross join lateral (
          select case when i.filtered > 0
                      then convert_from(substr($10::bytea, i.start, i.size), 'UTF8')::jsonb end as json
          offset 0) j`,
  matches: '(e.filter_path is null or j.json @@ e.filter_path)',
  sum: ({ storable }) => `(select coalesce(sum(${filterCost} * i.filtered), 0)::int
                          from input i where ${storable})`,
  filteredNames: ({ storable }) => `(
                             select m.account_id, m.event_type from added m
                              union all
                             select i.account_id, i.type
                               from input i cross join generate_series(1, ${filterCost} * i.filtered)
                              where ${storable})`,
};

/**
 * Stores a group of events:
 * - looks up each account, and each type in the catalogue. An event passes only if its data was
 *   compared with the current schemas of its type. No event of a full account passes, except those of a
 *   transaction such as a payment;
 * - takes the keys of events that pass;
 * - stores their bytes once, and a pending delivery for each active endpoint that subscribes, unless its filter does not
 *   match. An event for one endpoint alone passes its filter. At an endpoint with order it waits for its turn,
 *   which the caller gives it after the commit;
 * - notifies a channel if it is given one, made pending deliveries, and no other commit is notifying;
 * - returns PostgreSQL's clock, the number of pending deliveries, and each event it did not store. Of
 *   many pending deliveries of a group, it says how many each account and type has.
 * It locks no endpoint. If one is disabled at the same moment, no claim takes its pending delivery,
 * and the poller cancels it. The arrays are subselects, so that the planner expects the same number
 * of events each time and keeps one plan. The offset keeps it from reading all endpoints once for
 * the whole group. With filters, the body of an event is parsed once, and only if an endpoint that subscribes has one;
 * the interface accepts only JSON that PostgreSQL can parse.
 */
function storeStatement(
  name: string,
  keys: KeyParts,
  filters: FilterParts,
  named: (keys: KeyParts, filters: FilterParts) => string,
): Statement {
  return {
    name: name + filters.suffix,
    text: `
    with input as materialized (
      select i.*, a.known is not null as account_known, f.is_full is not null as account_full,
             t.revision is not null as type_known,
             (i.revision is null or i.revision = t.revision) as schema_current,
             a.known and ${filters.passes} and f.is_full is null
               and coalesce(i.revision, t.revision) = t.revision as passes,
             a.has_filters${filters.filtered}
        from ${keys.wait} unnest(
               (select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[]),
               (select $5::text[]), (select $6::boolean[]), (select $7::timestamptz[]),
               (select $8::int[]), (select $9::int[]), (select $13::text[]),
               (select $14::text[]), (select $16::text[])${keys.arrays}) with ordinality
             i (id, account_id, type, subject, endpoint_id, test, occurred_at, start,
                size, version, revision, traceparent${keys.columns}, place)
        left join lateral (
          select true as known, a.has_filters from account a
           where a.id = i.account_id and a.erased_at is null limit 1) a on true
        left join lateral (
          select true as is_full from full_account f
           where f.account_id = i.account_id and not $12::boolean limit 1) f on true
        left join lateral (
          select t.revision from event_type t
           where t.id = i.type and (t.listed or $12::boolean) limit 1) t on true
    ), ${keys.taken} stored as (
      insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at,
                         endpoint_id, traceparent)
      select i.id, i.account_id, i.type, i.version, i.subject, i.test,
             substr($10::bytea, i.start, i.size), i.occurred_at, date_trunc('milliseconds', now()),
             i.endpoint_id, i.traceparent
        from input i where ${keys.storable}
    ), added as (
      insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready,
                                    due_at, attempt, max_attempts, test, created_at, body_bytes,
                                    subject_key, subject_number)
      select 'pdl_' || substr(i.id, 5, 8) || substr(replace(gen_random_uuid()::text, '-', ''), 1, 16),
             i.account_id, e.id, i.id, i.type, 'live', e.subject_key is null,
             case when e.subject_key is null then date_trunc('milliseconds', now())
                  else 'infinity' end, 1,
             case when i.test then 1 else (coalesce($11::jsonb -> e.retry_schedule, $11::jsonb -> 'default'))::int end,
             i.test, date_trunc('milliseconds', now()),
             i.size, e.subject_key,
             case when e.subject_key is not null then ${subjectNumberOf('i.place')} end
        from input i${filters.json}
        cross join lateral (
          select e.id, e.retry_schedule,
                 case when e.ordering is not null and not i.test
                      then ${subjectKeyOf('i.subject')} end as subject_key
            from endpoint e
           where e.account_id = i.account_id and e.deleted_at is null and e.active
             and case when i.endpoint_id is not null then e.id = i.endpoint_id
                      else i.type = any (e.event_types) and ${filters.matches} end
          offset 0) e
       where ${keys.storable}
      returning account_id, event_type, endpoint_id, subject_key
    )
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "clockMs",
           one."pendingDeliveries", one."fanOut", one.subjects, one.named, one.signalled, n.*
      from (
        select m.count as "pendingDeliveries", m.count + m.filtered as "fanOut", m.subjects,
               ${named(keys, filters)} as named,
               case when m.count > 0 and $15::text is not null
                     and pg_try_advisory_xact_lock(hashtextextended($15::text, 0))
                    then pg_notify($15::text, '')::text end is not null as signalled
          from (select count(*)::int, ${filters.sum(keys)} as filtered,
                       json_agg(json_build_object('endpointId', a.endpoint_id, 'subjectKey', a.subject_key))
                         filter (where a.subject_key is not null) as subjects
                  from added a) m
        offset 0) one
      left join (
        select (i.place - 1)::int as place, i.account_known as "accountKnown",
               ${filters.hasFilters} as "hasFilters",
               i.account_full as "accountFull", i.type_known as "typeKnown",
               i.schema_current as "schemaCurrent", k.event_id as earlier, k.same
          from input i
          ${keys.earlier}
         where (${keys.storable}) is not true) n on true`,
  };
}

/** Stores events without keys, and with keys, each at most once. */
function statementsOf(filters: FilterParts) {
  return {
    plain: {
      one: storeStatement('event_publish', withoutKeys, filters, unnamed),
      group: storeStatement('event_publish_group', withoutKeys, filters, namedFanOuts),
    },
    keyed: {
      one: storeStatement('event_publish_keyed', withKeys, filters, unnamed),
      group: storeStatement('event_publish_keyed_group', withKeys, filters, namedFanOuts),
    },
  } as const;
}

const statementsWithoutFilters = statementsOf(unfiltered);
const filteredStatements = statementsOf(withFilters);
