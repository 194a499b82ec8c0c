// What became of an event at the endpoints of its account, and why one of them did not get it.
//
// Records and pending deliveries say what was sent and what waits. Why nothing was sent follows from the endpoint as it
// is today, and for one endpoint also from the audit log and the notices since the event. What these do not prove is
// answered as such: nobody keeps which filter an endpoint had before the present one.
import { notFound } from '../errors.js';
import type { DisabledReason } from '../transaction/rules.js';
import { getEvent, streamOnly } from '../event/events.js';
import { smallestId, timestampOf } from '../values/id.js';
import { rowById } from '../transaction/rows.js';
import type { Read, Statement } from '../transaction/tx.js';
import { type Delivery, deliveryColumns } from './deliveries.js';
import { type EndpointState, stateOf } from './health.js';
import { countBeforeInSubject } from './subject-order.js';

/** What became of an event at one endpoint. */
export type TrailState = (typeof trailStates)[number];
export const trailStates = [
  'delivered',
  'sending',
  'due',
  'waiting',
  'waiting_for_turn',
  'dead_letter',
  'given_up',
  'stream_only',
  'other_endpoint',
  'created_later',
  'not_subscribed',
  'subscribed_later',
  'inactive',
  'filtered',
  'filter_changed',
  'cancelled',
  'deleted',
  'not_addressed',
] as const;

/** An endpoint of the account of an event, and what became of the event there. */
export interface TrailEndpoint {
  readonly endpointId: string;
  readonly url: string;
  readonly endpointState: EndpointState;
  /** Whether the endpoint was deleted. */
  readonly deleted: boolean;
  readonly state: TrailState;
  /** How many attempts are recorded. */
  readonly attempts: number;
  /** The record of the latest attempt; null without one. */
  readonly latest: Delivery | null;
  /** The pending delivery; null unless one is open. */
  readonly pendingDeliveryId: string | null;
  /** Number of its next attempt, and when that is due; null while it waits for the turn of its subject. */
  readonly nextAttempt: number | null;
  readonly dueAt: Date | null;
}

/** An event of any account, with what became of it at each endpoint. */
export interface EventTrail {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  readonly version: string;
  readonly subject: string;
  readonly test: boolean;
  readonly occurredAt: Date;
  /** At most 100: first the endpoints that it was sent to or waits for, then those that did not get it. */
  readonly endpoints: readonly TrailEndpoint[];
  /** False when the account has more endpoints, or the event more attempts, than are read. */
  readonly complete: boolean;
}

interface EventRow extends Omit<EventTrail, 'endpoints' | 'complete'> {
  /** When it was published, by PostgreSQL's clock. */
  readonly createdAt: Date;
  /** The only endpoint it was published for; null for all that subscribe. */
  readonly endpointId: string | null;
}

const maxAttempts = 10_000;
const maxEndpoints = 1_000;
const maxShown = 100;

const eventStatement: Statement = {
  name: 'event_trail_event',
  text: `
    select e.id, e.account_id as "accountId", e.type, e.version, e.subject, e.test,
           e.occurred_at as "occurredAt", e.created_at as "createdAt", e.endpoint_id as "endpointId"
      from event e where e.id between $1 and $1`,
};

/** An attempt is later than its event, so older partitions hold none. */
const attemptsStatement: Statement = {
  name: 'event_trail_attempts',
  text: `
    select a.* from (
      select ${deliveryColumns} from delivery d
       where d.event_id = $1 and d.id >= $2 limit ${maxAttempts}) a
     order by a.id desc`,
};

interface EndpointRow {
  readonly id: string;
  readonly url: string;
  readonly active: boolean;
  readonly disabledReason: DisabledReason | null;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
  readonly subscribes: boolean;
  readonly subscribedSince: Date | null;
  readonly filter: string | null;
  readonly filterChangedAt: Date | null;
  /** Whether the event matches the filter; null without one. */
  readonly matches: boolean | null;
  readonly pendingDeliveryId: string | null;
  readonly nextAttempt: number | null;
  readonly dueAt: Date | null;
  readonly ready: boolean | null;
  readonly waitsForTurn: boolean | null;
  readonly claimed: boolean | null;
  readonly deadLetter: boolean | null;
}

/**
 * In SQL: endpoints `i` as rows, each with its pending delivery of the event $2 of type $3. The body is parsed once, if
 * an endpoint has a filter.
 */
const endpointRows = (endpoints: string) => `
    select e.id, e.url, e.active, e.disabled_reason as "disabledReason",
           e.failing_since as "failingSince", e.created_at as "createdAt",
           e.deleted_at as "deletedAt", $3 = any (e.event_types) as subscribes,
           (e.subscribed_since ->> $3)::timestamptz as "subscribedSince",
           p.id as "pendingDeliveryId", p.attempt as "nextAttempt",
           nullif(p.due_at, 'infinity') as "dueAt", p.ready, p.due_at = 'infinity' as "waitsForTurn",
           e.filter, e.filter_changed_at as "filterChangedAt",
           case when e.filter_path is not null
                then (select convert_from(v.body, 'UTF8')::jsonb from event v
                       where v.id between $2 and $2) @@ e.filter_path end as matches,
           p.lease_token is not null as claimed, p.dead_letter_reason is not null as "deadLetter"
      from ${endpoints} i
     cross join lateral (select * from endpoint e where e.id = i.id limit 1) e
      left join lateral (
        select * from pending_delivery c
         where c.endpoint_id = i.id and c.event_id = $2
         order by c.endpoint_id, c.event_id limit 1) p on true`;

/** Reads the newest endpoints of the account, and those with attempts. */
const endpointsStatement: Statement = {
  name: 'event_trail_endpoints',
  text: `${endpointRows(`((select n.id from endpoint n
              where (n.account_id, n.id) >= ($1, '') and (n.account_id, n.id) < ($1, '~')
                and n.deleted_at is null
              order by n.account_id desc, n.id desc limit ${maxEndpoints + 1})
            union
            select unnest($4::text[]))`)}
     order by e.id desc`,
};

/**
 * Returns an event of any account with what became of it at each endpoint, for operators.
 * @throws DomainError not_found when no partition holds the event any more
 */
export async function readEventTrail(read: Read, id: string): Promise<EventTrail> {
  const event = await rowById<EventRow>(read, 'evt', eventStatement, [id]);
  const { endpointId: addressee, ...shown } = event;
  const oldest = smallestId('whd', timestampOf(id));
  const attempts = await read.sql<Delivery>(attemptsStatement, [id, oldest]);

  const attemptsOf = new Map<string, Delivery[]>();

  for (const attempt of attempts) {
    const earlier = attemptsOf.get(attempt.endpointId);
    if (earlier) earlier.push(attempt);
    else attemptsOf.set(attempt.endpointId, [attempt]);
  }

  const rows = await read.sql<EndpointRow>(endpointsStatement, [
    event.accountId,
    id,
    event.type,
    [...attemptsOf.keys()],
  ]);

  const endpoints = rows.map((row) => trailOf(event, addressee, row, attemptsOf.get(row.id) ?? []));
  const isReached = (endpoint: TrailEndpoint) =>
    endpoint.attempts > 0 || endpoint.pendingDeliveryId !== null;
  const reached = endpoints.filter(isReached);
  const others = endpoints.filter((endpoint) => !isReached(endpoint));

  return {
    ...shown,
    endpoints: [...reached, ...others].slice(0, maxShown),
    complete: endpoints.length <= maxShown && attempts.length < maxAttempts,
  };
}

function trailOf(
  event: EventRow,
  addressee: string | null,
  row: EndpointRow,
  attempts: readonly Delivery[],
): TrailEndpoint {
  return {
    endpointId: row.id,
    url: row.url,
    endpointState: stateOf(row),
    deleted: row.deletedAt !== null,
    state: attemptedState(row, attempts) ?? pendingState(row) ?? unsentState(event, addressee, row),
    attempts: attempts.length,
    latest: attempts[0] ?? null,
    pendingDeliveryId: row.pendingDeliveryId,
    nextAttempt: row.nextAttempt,
    dueAt: row.dueAt,
  };
}

/** The state that follows from the records, unless attempts failed and a pending delivery says more. */
function attemptedState(row: EndpointRow, attempts: readonly Delivery[]): TrailState | undefined {
  if (attempts.some(({ status }) => status === 'success')) return 'delivered';
  return attempts.length > 0 && row.pendingDeliveryId === null ? 'given_up' : undefined;
}

function pendingState({
  pendingDeliveryId,
  deadLetter,
  claimed,
  ready,
  waitsForTurn,
}: EndpointRow): TrailState | undefined {
  if (pendingDeliveryId === null) return undefined;
  if (waitsForTurn) return 'waiting_for_turn';
  if (deadLetter) return 'dead_letter';
  if (claimed) return 'sending';
  return ready ? 'due' : 'waiting';
}

/**
 * Why nothing was ever pending, as far as the endpoint shows today. `not_addressed` remains for an endpoint that
 * would get the event now: the audit log says what has changed since.
 */
function unsentState(
  { createdAt: publishedAt }: EventRow,
  addressee: string | null,
  { id, active, createdAt, subscribes, subscribedSince, matches, filterChangedAt }: EndpointRow,
): TrailState {
  if (addressee === streamOnly) return 'stream_only';
  if (addressee !== null && addressee !== id) return 'other_endpoint';
  if (createdAt > publishedAt) return 'created_later';
  if (!subscribes) return 'not_subscribed';
  if (subscribedSince !== null && subscribedSince > publishedAt) return 'subscribed_later';
  if (addressee === null && filterChangedAt !== null) {
    if (filterChangedAt > publishedAt) return active ? 'filter_changed' : 'inactive';
    if (matches === false) return 'filtered';
  }
  return active ? 'not_addressed' : 'inactive';
}

/** What became of an event at one endpoint of its account, and why. */
export interface EventAtEndpoint extends TrailEndpoint {
  /**
   * When what the state names happened: the endpoint subscribed, was enabled again, was deleted, or its filter changed;
   * when a delivery was cancelled. Null if that is unknown, or the state names nothing that happens.
   */
  readonly at: Date | null;
  /** The filter of today; null without one. */
  readonly filter: string | null;
  /** When the filter changed, if that was after the event. */
  readonly filterChangedAt: Date | null;
  /** Whether the event matches the filter of today; null without one. */
  readonly matches: boolean | null;
  /**
   * How many deliveries of the endpoint are due before this one, or come before it in its subject if it waits for its
   * turn; at most 10,000 are read. Null unless one is open.
   */
  readonly ahead: number | null;
}

/** At most this many pending deliveries of the endpoint, or of one subject, are read. */
const maxPending = 10_000;

const endpointStatement: Statement = {
  name: 'event_at_endpoint',
  text: `
    select f.*, e.account_id as "accountId",
           case when f."waitsForTurn" then ${countBeforeInSubject('f."pendingDeliveryId"', maxPending)}
                when f."dueAt" is not null and not f."deadLetter" then (
             select count(*) filter (where a.dead_letter_reason is null
                                and (a.due_at, a.id) < (f."dueAt", f."pendingDeliveryId"))::int
               from (select * from pending_delivery c where c.endpoint_id = f.id
                      limit ${maxPending}) a) end as ahead
      from (${endpointRows('(select $1::text as id)')}) f
     cross join lateral (select * from endpoint e where e.id = f.id limit 1) e`,
};

/** A change of an endpoint since an event. */
interface Change {
  readonly at: Date;
  /** `incomplete` in place of a change if there are more than were read. */
  readonly field: 'active' | 'event_types' | 'incomplete';
  readonly from: string | null;
  readonly to: string | null;
}

const maxChanges = 5_000;

/**
 * Returns the changes of `active` and of the event types of endpoint $2 after a time, oldest first: those in the audit
 * log, and disablings by the service, of which a notice tells.
 */
const changesStatement: Statement = {
  name: 'event_at_endpoint_changes',
  text: `
    with entry as materialized (
      select e.resource_id, e.action, e.changes, e.created_at from audit_entry e
       where (e.account_id, e.id) > ($1, $3) and (e.account_id, e.id) < ($1, '~')
       order by e.account_id, e.id limit ${maxChanges}
    )
    select a.created_at as at, f ->> 'field' as field, f ->> 'from' as "from", f ->> 'to' as "to"
      from entry a cross join lateral jsonb_array_elements(a.changes) f
     where a.resource_id = $2 and a.action = 'endpoint_updated'
       and f ->> 'field' in ('active', 'event_types')
    union all
    select n.created_at, 'active', 'true', 'false'
      from (select * from notice n
             where (hashtextextended(n.account_id, 0), n.id || '') > (hashtextextended($1, 0), $4)
               and (hashtextextended(n.account_id, 0), n.id || '') < (hashtextextended($1, 0), '~')
             order by hashtextextended(n.account_id, 0), n.id || '' limit ${maxChanges}) n
     where n.account_id = $1 and n.resource_id = $2 and n.kind = 'endpoint_disabled'
    union all
    select now(), 'incomplete', null, null where (select count(*) from entry) = ${maxChanges}
     order by at`,
};

/**
 * Returns what became of an event at an endpoint of the same account, and why. It says only what PostgreSQL proves.
 * @throws DomainError not_found for an endpoint, or an event of the last 30 days, that the account does not have
 */
export async function readEventAtEndpoint(
  read: Read,
  account: string,
  eventId: string,
  endpointId: string,
): Promise<EventAtEndpoint> {
  await getEvent(read, account, eventId);
  const event = await rowById<EventRow>(read, 'evt', eventStatement, [eventId]);

  type Row = EndpointRow & Pick<EventAtEndpoint, 'ahead'> & { readonly accountId: string };
  const row = await rowById<Row>(read, 'whs', endpointStatement, [endpointId, eventId, event.type]);
  if (row.accountId !== account) throw notFound('webhook endpoint');

  const oldest = smallestId('whd', timestampOf(eventId));
  const attempts = (await read.sql<Delivery>(attemptsStatement, [eventId, oldest])).filter(
    (attempt) => attempt.endpointId === endpointId,
  );

  const shown = trailOf(event, event.endpointId, row, attempts);
  const { filter, filterChangedAt, matches, ahead } = row;
  const changedLater = filterChangedAt !== null && filterChangedAt > event.createdAt;
  const reason = isUnsent(shown)
    ? await reasonOf(read, event, row)
    : { state: shown.state, at: null };

  return {
    ...shown,
    ...reason,
    filter,
    filterChangedAt: changedLater ? filterChangedAt : null,
    matches,
    ahead,
  };
}

function isUnsent({ attempts, pendingDeliveryId }: TrailEndpoint): boolean {
  return attempts === 0 && pendingDeliveryId === null;
}

/** Why nothing was sent, and when it happened. */
type Reason = Pick<EventAtEndpoint, 'state' | 'at'>;

async function reasonOf(read: Read, event: EventRow, row: EndpointRow): Promise<Reason> {
  const { createdAt: publishedAt, endpointId: addressee, accountId } = event;
  const { id, createdAt, deletedAt, filterChangedAt, matches } = row;
  if (addressee === streamOnly) return { state: 'stream_only', at: null };
  if (addressee !== null && addressee !== id) return { state: 'other_endpoint', at: null };
  if (createdAt > publishedAt) return { state: 'created_later', at: createdAt };
  if (deletedAt !== null && deletedAt <= publishedAt) return { state: 'deleted', at: deletedAt };

  const changes = await read.sql<Change>(changesStatement, [
    accountId,
    id,
    smallestId('aud', publishedAt),
    smallestId('ntc', publishedAt),
  ]);
  const isComplete = !changes.some(({ field }) => field === 'incomplete');

  const subscription = subscriptionThen(event, row, changes);
  if (addressee === null && !subscription.subscribed) {
    const { since } = subscription;
    if (since) return { state: 'subscribed_later', at: since };
    return { state: isComplete ? 'not_subscribed' : 'not_addressed', at: null };
  }

  const activation = changes.find(({ field }) => field === 'active');
  if (!activation) {
    // A deletion also sets it inactive, so the row no longer says whether it was active before.
    if (deletedAt !== null) return { state: 'deleted', at: deletedAt };
    if (!isComplete) return { state: 'not_addressed', at: null };
  }

  const wasActive = activation ? activation.to === 'false' : row.active;
  if (!wasActive) return { state: 'inactive', at: activation?.at ?? null };

  if (addressee === null && filterChangedAt !== null) {
    if (filterChangedAt > publishedAt) return { state: 'filter_changed', at: filterChangedAt };
    if (matches === false) return { state: 'filtered', at: null };
  }

  const cancelled = [activation?.at, subscription.until].flatMap((at) => at ?? []);
  const [first] = cancelled.sort((one, other) => one.getTime() - other.getTime());
  if (first) return { state: 'cancelled', at: first };
  return deletedAt === null
    ? { state: 'not_addressed', at: null }
    : { state: 'deleted', at: deletedAt };
}

/** Whether an endpoint subscribed to the type of an event when that was published. */
interface SubscriptionThen {
  readonly subscribed: boolean;
  /** When it subscribed, if that was later. */
  readonly since?: Date;
  /** When it unsubscribed, if that was later. */
  readonly until?: Date;
}

function subscriptionThen(
  { type, createdAt: publishedAt }: EventRow,
  { subscribes, subscribedSince }: EndpointRow,
  changes: readonly Change[],
): SubscriptionThen {
  if (subscribes && (subscribedSince === null || subscribedSince <= publishedAt)) {
    return { subscribed: true };
  }

  const includes = (types: string | null) => types?.split(', ').includes(type) === true;
  const change = changes.find(
    ({ field, from, to }) => field === 'event_types' && (includes(from) || includes(to)),
  );
  if (change && includes(change.from)) return { subscribed: true, until: change.at };
  const since = change?.at ?? (subscribes ? subscribedSince : null);
  return { subscribed: false, ...(since && { since }) };
}
