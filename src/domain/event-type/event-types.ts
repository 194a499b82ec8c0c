// The catalogue of event types: what endpoints may subscribe to, and how operators close and remove types.
//
// A retired type takes no new subscriptions, and an unlisted one is removed from the catalogue for good.
// Existing subscriptions keep both. A transaction that subscribes locks the entries that it checks, so no
// type is retired or unlisted between the check and the commit.
//
// The schemas of types are in definitions.ts and put-event-types.ts; event-schemas.ts compares events
// with them.
import type { AuditAction } from '../audit/audit-entry.entity.js';
import { recordChange } from '../audit/audit-log.js';
import { type Issue, notFound } from '../errors.js';
import type { Read, Tx } from '../transaction/tx.js';
import { storageProblem } from '../values/text.js';
import type { EventType } from './event-type.entity.js';

const columns = `id, category, summary, description,
  accepts_new_subscriptions as "acceptsNewSubscriptions", sent, listed, validation, revision`;

const list = {
  name: 'event-types',
  text: `select ${columns} from event_type where listed order by category collate "C", id`,
};

const listAll = {
  name: 'event-types-all',
  text: `select ${columns} from event_type order by category collate "C", id`,
};

const entries = `select id, accepts_new_subscriptions as "acceptsNewSubscriptions", listed
  from event_type where id = any($1::text[]) order by id`;

const find = { name: 'event-types-offered', text: entries };

const lock = { name: 'event-types-for-share', text: `${entries} for share` };

const lockBoth = {
  name: 'event-types-and-account',
  text: `with locked as materialized (select id from account where id = $2 for no key update)
         select t.* from locked cross join lateral (${entries} for share) t`,
};

const retire = {
  name: 'event-type-retire',
  text: `update event_type set accepts_new_subscriptions = false where id = $1 returning ${columns}`,
};

const unlist = {
  name: 'event-type-unlist',
  text: `update event_type set listed = false where id = $1 returning ${columns}`,
};

/** Lists the catalogue: every listed type, by category, then by id. */
export function listEventTypes(read: Read): Promise<EventType[]> {
  return read.sql<EventType>(list, []);
}

/** Lists every type, listed or not, in the same order; for operators. */
export function listCatalogue(read: Read): Promise<EventType[]> {
  return read.sql<EventType>(listAll, []);
}

/** Reads the catalogue's entries for `types`. Unknown types are absent. */
export function readCatalogueEntries(
  read: Read,
  types: readonly string[],
): Promise<CatalogueEntry[]> {
  return entriesBy(find, read, types);
}

/**
 * Reads the catalogue's entries for `types` and locks them: no transaction retires or unlists one
 * until `tx` ends. Unknown types are absent.
 */
export function lockCatalogueEntries(tx: Tx, types: readonly string[]): Promise<CatalogueEntry[]> {
  return entriesBy(lock, tx, types);
}

/**
 * As {@link lockCatalogueEntries}, and locks the account's row in the same statement. Counts of the
 * account's rows then stay valid until `tx` ends.
 */
export function lockAccountAndEntries(
  tx: Tx,
  account: string,
  types: readonly string[],
): Promise<CatalogueEntry[]> {
  return entriesBy(lockBoth, tx, types, [account]);
}

async function entriesBy(
  statement: typeof find,
  read: Read,
  types: readonly string[],
  more: readonly unknown[] = [],
): Promise<CatalogueEntry[]> {
  const storable = types.filter((type) => storageProblem(type) === undefined);
  return storable.length === 0 ? [] : read.sql<CatalogueEntry>(statement, [storable, ...more]);
}

/**
 * Permanently closes a type to new subscriptions. Existing ones keep it.
 * @throws DomainError not_found
 */
export function retireEventType(tx: Tx, id: string): Promise<EventType> {
  return change(tx, retire, id, 'event_type_retired');
}

/**
 * Permanently removes a type from the catalogue. Existing subscriptions keep it.
 * @throws DomainError not_found
 */
export function unlistEventType(tx: Tx, id: string): Promise<EventType> {
  return change(tx, unlist, id, 'event_type_unlisted');
}

async function change(
  tx: Tx,
  statement: typeof retire,
  id: string,
  action: AuditAction,
): Promise<EventType> {
  const [type] = storageProblem(id) === undefined ? await tx.sql<EventType>(statement, [id]) : [];
  if (!type) throw notFound('event type');
  recordChange(tx, { action, resource: id });
  return type;
}

/** An event type of the catalogue, as {@link checkSubscription} needs it. */
export interface CatalogueEntry {
  readonly id: string;
  readonly acceptsNewSubscriptions: boolean;
  /** False when the type was removed from the catalogue. Existing subscriptions keep it. */
  readonly listed: boolean;
}

/** What an endpoint will subscribe to. `types` is valid only if `errors` is empty. */
export interface Subscription {
  readonly types: readonly string[];
  readonly errors: readonly Issue[];
}

const param = 'event_types';

/**
 * Validates the event types that an endpoint asks for:
 * - it may keep each type that it has;
 * - a type that it adds must be listed and accept new subscriptions.
 * Removes duplicates and keeps the order of `wanted`.
 * @param current what the endpoint subscribes to; empty for a new one
 * @param catalogue the catalogue's entries, at least for the types in `wanted` that are added
 */
export function checkSubscription(
  current: readonly string[],
  wanted: readonly string[],
  catalogue: readonly CatalogueEntry[],
): Subscription {
  const types = [...new Set(wanted)];
  if (types.length === 0) {
    const detail = 'Must have at least 1 item.';
    return { types, errors: [{ code: 'too_few_items', detail, param }] };
  }

  const unstorableReason = types.map(storageProblem).find((reason) => reason !== undefined);
  if (unstorableReason !== undefined) {
    return { types, errors: [{ code: 'invalid_value', detail: unstorableReason, param }] };
  }

  const existing = new Set(current);
  const entries = new Map(catalogue.map((entry) => [entry.id, entry]));
  const added = types.filter((type) => !existing.has(type));
  const unknown = added.filter((type) => entries.get(type)?.listed !== true);
  const notOffered = added.filter((type) => {
    const entry = entries.get(type);
    return entry?.listed === true && !entry.acceptsNewSubscriptions;
  });

  const errors: Issue[] = [];

  if (notOffered.length > 0) {
    const detail = `No longer offered for new subscriptions: ${notOffered.join(', ')}`;
    errors.push({ code: 'event_type_not_offered', detail, param });
  }

  if (unknown.length > 0) {
    const detail = `Unknown event type: ${unknown.join(', ')}`;
    errors.push({ code: 'unknown_event_type', detail, param });
  }

  return { types, errors };
}
