import { DomainError } from '../errors.js';
import type { EventSchemas } from '../event-type/event-schemas.js';
import type { Tx } from '../tx.js';
import { resultOfFollower } from './group-rules.js';
import { prepareChecked, reportMismatch, schemaUnresolved } from './prepare-checked.js';
import { nameOfKey, type PreparedEvent, type PublishRequest } from './prepare-event.js';
import { maxTries, preparationOf, storeInTransaction } from './publish.js';
import { type Published, SchemaOutdated } from './store-events.js';

type Result = Published | DomainError;

/** Rolls the transaction back. */
class Refused extends Error {
  constructor(readonly results: readonly Result[]) {
    super('An event of the call was refused.');
  }
}

/**
 * Publishes all events in one transaction, or none.
 * @returns in the order of `requests`. If one is refused, each of the others has the error
 *   `not_published`.
 */
export async function publishAtomically(
  transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  schemas: EventSchemas,
  requests: readonly PublishRequest[],
): Promise<Result[]> {
  const read = new Set<string>();
  for (let tries = 0; tries < maxTries; tries += 1) {
    let prepared: readonly Prepared[] = [];
    try {
      const published = await transact(async (tx) => {
        prepared = await prepareAll(tx, schemas, requests, read);
        const results = await storeAll(tx, prepared);
        if (results.some((each) => each instanceof DomainError)) throw new Refused(results);
        return results;
      });

      for (const [place, result] of published.entries()) {
        const event = prepared[place];
        if (event && !(event instanceof Error)) reportMismatch(schemas, event, result);
      }
      return published;
    } catch (error) {
      if (error instanceof SchemaOutdated)
        await loadStale(schemas, typesOf(prepared), error.type, read);
      else if (!(error instanceof Refused)) throw error;
      else {
        return error.results.map((each) => (each instanceof DomainError ? each : notPublished()));
      }
    }
  }
  throw schemaUnresolved();
}

type Prepared = ReturnType<typeof prepareChecked>;

async function prepareAll(
  tx: Tx,
  schemas: EventSchemas,
  requests: readonly PublishRequest[],
  read: ReadonlySet<string>,
): Promise<readonly Prepared[]> {
  const preparation = preparationOf(tx);
  const prepared: Prepared[] = [];
  for (const request of requests) {
    while (schemas.isTurnOver) await schemas.turn();
    prepared.push(prepareChecked(schemas, preparation, request, read.has(request.type)));
  }
  return prepared;
}

function typesOf(prepared: readonly Prepared[]): ReadonlySet<string> {
  return new Set(prepared.flatMap((each) => (each instanceof DomainError ? [] : [each.type])));
}

/**
 * Reads all stale schemas of the call at once, so that the number of its types costs no try.
 * @param read the types that were read for this call; gets those that are read now
 */
async function loadStale(
  schemas: EventSchemas,
  types: ReadonlySet<string>,
  outdated: string,
  read: Set<string>,
): Promise<void> {
  const stale = [...types].filter(
    (type) => type === outdated || !schemas.mayRefuse(type, read.has(type)),
  );
  await schemas.load(stale);
  for (const type of stale) read.add(type);
}

async function storeAll(tx: Tx, all: readonly Prepared[]): Promise<Result[]> {
  const prepared = all.map((each) => {
    if (each instanceof SchemaOutdated) throw each;
    return each;
  });
  const events: PreparedEvent[] = prepared.flatMap((each) =>
    each instanceof DomainError ? [] : [each],
  );
  const { plain, leaders, followers } = groupsOf(events);
  const results = new Map<PreparedEvent, Result>([
    ...(await storeInTransaction(tx, plain)),
    ...(await storeInTransaction(tx, leaders)),
  ]);
  for (const [event, leader] of followers) {
    const result = resultOfFollower(leader, event, results.get(leader) ?? notPublished());
    results.set(event, result ?? notPublished());
  }
  return prepared.map((each) =>
    each instanceof DomainError ? each : (results.get(each) ?? notPublished()),
  );
}

/** Events without keys, the first event of each key, and later events with the first one. */
function groupsOf(events: readonly PreparedEvent[]) {
  const plain: PreparedEvent[] = [];
  const leaders = new Map<string, PreparedEvent>();
  const followers: [PreparedEvent, PreparedEvent][] = [];
  for (const event of events) {
    const name = nameOfKey(event);
    const leader = name === undefined ? undefined : leaders.get(name);
    if (name === undefined) plain.push(event);
    else if (leader) followers.push([event, leader]);
    else leaders.set(name, event);
  }
  return { plain, leaders: [...leaders.values()], followers };
}

function notPublished(): DomainError {
  const detail = 'Another event of the call was refused, so none was published.';
  return new DomainError('state_conflict', detail, [{ code: 'not_published', detail }]);
}
