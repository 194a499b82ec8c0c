import { notFound } from '../errors.js';
import { storageProblem } from '../text-issues.js';
import type { Read, Tx } from '../tx.js';
import type { EventType } from './event-type.entity.js';
import type { CatalogueEntry } from './subscription-rule.js';

const columns = `id, category, summary, description,
  accepts_new_subscriptions as "acceptsNewSubscriptions", sent, listed`;

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
  text: `with held as materialized (select id from account where id = $2 for no key update)
         select t.* from held cross join lateral (${entries} for share) t`,
};

const retire = {
  name: 'event-type-retire',
  text: `update event_type set accepts_new_subscriptions = false where id = $1 returning ${columns}`,
};

const unlist = {
  name: 'event-type-unlist',
  text: `update event_type set listed = false where id = $1 returning ${columns}`,
};

/** The catalogue: every listed type, by category, then by id (H32, H38). */
export function listEventTypes(read: Read): Promise<EventType[]> {
  return read.sql<EventType>(list, []);
}

/** Every type of the catalogue, listed or not, in the same order; for operators. */
export function listCatalogue(read: Read): Promise<EventType[]> {
  return read.sql<EventType>(listAll, []);
}

/** The catalogue's entries for `types`; unknown types are simply absent. */
export function readCatalogueEntries(
  read: Read,
  types: readonly string[],
): Promise<CatalogueEntry[]> {
  return entriesBy(find, read, types);
}

/**
 * The catalogue's entries for `types`, which nobody can retire or unlist until `tx` ends.
 * Unknown types are simply absent.
 */
export function lockCatalogueEntries(tx: Tx, types: readonly string[]): Promise<CatalogueEntry[]> {
  return entriesBy(lock, tx, types);
}

/**
 * As {@link lockCatalogueEntries}; locks the account's row with the same statement, so that what is
 * counted of the account afterwards stays so until `tx` ends.
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
 * Stops offering a type for new subscriptions, for good; existing ones keep it.
 * @throws DomainError not_found
 */
export function retireEventType(tx: Tx, id: string): Promise<EventType> {
  return change(tx, retire, id);
}

/**
 * Takes a type out of the catalogue, for good; existing subscriptions keep it.
 * @throws DomainError not_found
 */
export function unlistEventType(tx: Tx, id: string): Promise<EventType> {
  return change(tx, unlist, id);
}

async function change(tx: Tx, statement: typeof retire, id: string): Promise<EventType> {
  const [type] = storageProblem(id) === undefined ? await tx.sql<EventType>(statement, [id]) : [];
  if (!type) throw notFound('event type');
  return type;
}
