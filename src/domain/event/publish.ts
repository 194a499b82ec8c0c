// Publishes events in the transaction of a change: the event is committed with the payment, refund or offer that it
// reports, or not at all. A crash leaves both or neither.
import type { DomainError } from '../errors.js';
import { SemaphoreRejected, type Tx } from '../transaction/tx.js';
import { deliveriesReady } from '../transaction/wakeup.js';
import {
  type Preparation,
  preparationAt,
  type PreparedEvent,
  prepareEvent,
  type PublishInput,
} from './prepare-event.js';
import { type Published, SchemaOutdated, storeEvents, type StoreOptions } from './store-events.js';

/** How often the service tries again when a key was committed, or a schema changed, a moment ago. */
export const maxTries = 3;

/**
 * Publishes an event in the transaction `tx`, with one wake-up after its commit. It accepts types
 * that were removed from the catalogue and full accounts, and does not compare `data` with a schema: a
 * payment must not fail for any of these.
 * @throws DomainError validation_failed
 * @throws DomainError event_key_conflict when the key was used for different content
 */
export async function publishEvent(
  tx: Tx,
  accountId: string,
  input: PublishInput,
): Promise<Published> {
  return publishPrepared(tx, prepareEvent(preparationOf(tx), accountId, input));
}

/** Publishes an event that {@link prepareEvent} returned, see {@link publishEvent}. */
export async function publishPrepared(tx: Tx, event: PreparedEvent): Promise<Published> {
  const result = (await storeInTransaction(tx, [event], { acceptUnlisted: true })).get(event);
  if (result === undefined || result instanceof Error) throw result ?? keyUnresolved();
  return result;
}

/** Returns what preparing an event in the transaction `tx` needs. */
export function preparationOf({ now, rules, traceparent }: Tx): Preparation {
  return preparationAt(now, rules.baseUrl, traceparent);
}

/**
 * Stores events in the transaction `tx`, each with a wake-up after its commit. Either all of them
 * have keys, each at most once, or none.
 * @throws SchemaOutdated when the data of an event was compared with older schemas
 */
export async function storeInTransaction(
  tx: Tx,
  events: readonly PreparedEvent[],
  options: StoreOptions = {},
): Promise<ReadonlyMap<PreparedEvent, Published | DomainError>> {
  const results = new Map<PreparedEvent, Published | DomainError>();
  let open = events;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === maxTries) throw keyUnresolved();

    const answer = await storeEvents(tx, open, options);
    for (let count = 0; count < answer.stored; count += 1) tx.wake({ kind: 'due' });
    if (answer.subjects) tx.wake({ ...deliveriesReady, subjects: answer.subjects });

    open = open.filter((event, place) => {
      const result = answer.results[place] ?? 'unresolved';
      if (result instanceof SchemaOutdated) throw result;
      if (result !== 'unresolved') results.set(event, result);
      return result === 'unresolved';
    });
  }

  return results;
}

/** Makes the error for a key that other transactions keep committing and deleting. */
export function keyUnresolved(): SemaphoreRejected {
  return new SemaphoreRejected(`The event of the key was not visible after ${maxTries} tries.`);
}
