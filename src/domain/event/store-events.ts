import { arrayLiteral } from '../array-literal.js';
import { DomainError, notFound, validationFailed } from '../errors.js';
import type { Read } from '../tx.js';
import type { GroupFanOut } from './fan-out.js';
import type { PreparedEvent } from './prepare-event.js';
import { storeWithKeys, storeWithoutKeys } from './store-statement.js';

/** A published event. */
export interface Published {
  readonly id: string;
  /** False if the same content was published with this key before. */
  readonly created: boolean;
}

/** What PostgreSQL found about an event that it did not store. */
interface NotStored {
  readonly accountKnown: boolean;
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

/** The schemas of an event's type are newer than those its data was compared with. */
export class SchemaOutdated extends Error {
  constructor(readonly type: string) {
    super(`The schemas of the event type ${type} must be read.`);
    this.name = 'SchemaOutdated';
  }
}

/**
 * What became of an event. `unresolved`: another transaction committed its key while the statement
 * ran, which therefore cannot see the event of that key. Store it again.
 */
export type StoreResult = Published | DomainError | SchemaOutdated | 'unresolved';

/** Whether the statement stored the event. */
export function isStored(result: StoreResult | undefined): boolean {
  return typeof result === 'object' && 'created' in result && result.created;
}

/** The answer of one statement. */
export interface StoreAnswer extends GroupFanOut {
  /** In the order of the events. */
  readonly results: readonly StoreResult[];
  /** How many events it stored. */
  readonly stored: number;
  /** PostgreSQL's clock during the statement, in milliseconds since 1970. */
  readonly clockMs: number;
  /** Whether its commit notified a channel. */
  readonly signalled: boolean;
}

type Row = Pick<StoreAnswer, 'clockMs' | 'signalled'> &
  GroupFanOut &
  NotStored & { readonly place: number | null };

/** Full accounts are counted every few seconds. */
const pendingRetrySeconds = 10;

/** How to store events. */
export interface StoreOptions {
  /** Whether to accept types that were removed from the catalogue, and full accounts. Defaults to false. */
  readonly unlisted?: boolean;
  /** The statement fails after this wait for a key. Defaults to the connection's setting. */
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
  { unlisted = false, lockTimeoutMs, notify }: StoreOptions = {},
): Promise<StoreAnswer> {
  const attempts = rules.retry.delaysMs.length + 1;
  const columns = [...columnsOf(events), attempts, unlisted, ...schemaColumnsOf(events)];
  const traceparents = arrayLiteral(events.map(({ traceparent }) => traceparent ?? null));
  const values = [...columns, notify ?? null, traceparents];
  const keyed = events[0]?.key !== undefined;
  const size = events.length === 1 ? 'one' : 'group';
  const rows = await (keyed
    ? sql<Row>(storeWithKeys[size], [
        ...values,
        ...keysOf(events),
        lockTimeoutMs?.toString() ?? null,
      ])
    : sql<Row>(storeWithoutKeys[size], values));
  const [first] = rows;
  if (!first) throw new Error('event_publish returned no row');
  const notStored = new Map(rows.map((row) => [row.place, row]));
  const results = events.map((event, place) => resultOf(event, notStored.get(place)));
  const stored = events.length - rows.filter(({ place }) => place !== null).length;
  const { pendingDeliveries, named, signalled, clockMs } = first;
  return { results, stored, pendingDeliveries, named, signalled, clockMs };
}

function resultOf({ id, type }: PreparedEvent, found: NotStored | undefined): StoreResult {
  if (!found) return { id, created: true };
  const { accountKnown, accountFull, typeKnown, schemaCurrent, earlier, same } = found;
  if (!accountKnown) return notFound('account');
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

/** Arrays as text, and all bodies in one buffer: pg would write an array of buffers as hexadecimal. */
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
