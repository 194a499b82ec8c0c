import type { DisabledReason } from '../transaction/rules.js';
import { streamOnly } from '../event/events.js';
import { smallestId, timestampOf } from '../values/id.js';
import { rowById } from '../transaction/rows.js';
import type { Read, Statement } from '../transaction/tx.js';
import { type Delivery, deliveryColumns } from './deliveries.js';
import { type EndpointState, stateOf } from './health.js';

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
           e.occurred_at as "occurredAt", e.endpoint_id as "endpointId"
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
  readonly pendingDeliveryId: string | null;
  readonly nextAttempt: number | null;
  readonly dueAt: Date | null;
  readonly ready: boolean | null;
  readonly waitsForTurn: boolean | null;
  readonly claimed: boolean | null;
  readonly deadLetter: boolean | null;
}

/** Reads the newest endpoints of the account, and those with attempts, with the pending delivery of each. */
const endpointsStatement: Statement = {
  name: 'event_trail_endpoints',
  text: `
    select e.id, e.url, e.active, e.disabled_reason as "disabledReason",
           e.failing_since as "failingSince", e.created_at as "createdAt",
           e.deleted_at as "deletedAt", $3 = any (e.event_types) as subscribes,
           (e.subscribed_since ->> $3)::timestamptz as "subscribedSince",
           p.id as "pendingDeliveryId", p.attempt as "nextAttempt",
           nullif(p.due_at, 'infinity') as "dueAt", p.ready, p.due_at = 'infinity' as "waitsForTurn",
           p.lease_token is not null as claimed, p.dead_letter_reason is not null as "deadLetter"
      from ((select n.id from endpoint n
              where (n.account_id, n.id) >= ($1, '') and (n.account_id, n.id) < ($1, '~')
                and n.deleted_at is null
              order by n.account_id desc, n.id desc limit ${maxEndpoints + 1})
            union
            select unnest($4::text[])) i
     cross join lateral (select * from endpoint e where e.id = i.id limit 1) e
      left join lateral (
        select * from pending_delivery c
         where c.endpoint_id = i.id and c.event_id = $2
         order by c.endpoint_id, c.event_id limit 1) p on true
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
  { occurredAt }: EventRow,
  addressee: string | null,
  { id, active, createdAt, subscribes, subscribedSince }: EndpointRow,
): TrailState {
  if (addressee === streamOnly) return 'stream_only';
  if (addressee !== null && addressee !== id) return 'other_endpoint';
  if (createdAt > occurredAt) return 'created_later';
  if (!subscribes) return 'not_subscribed';
  if (subscribedSince !== null && subscribedSince > occurredAt) return 'subscribed_later';
  return active ? 'not_addressed' : 'inactive';
}
