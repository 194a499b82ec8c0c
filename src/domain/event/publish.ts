import { SemaphoreRejected, type Tx } from '../tx.js';
import { type Preparation, prepareEvent, type PublishInput } from './prepare-event.js';
import { type Published, storeEvents } from './store-events.js';

/** How often the service looks for an event whose key was committed a moment ago. */
export const maxTries = 3;

/**
 * Publishes an event in the transaction `tx`, with one wake-up after its commit. It accepts types
 * that were removed from the catalogue, because a payment must not fail for one.
 * @throws DomainError validation_failed
 * @throws DomainError event_key_conflict when the key was used for different content
 */
export async function publishEvent(
  tx: Tx,
  accountId: string,
  input: PublishInput,
): Promise<Published> {
  const preparation: Preparation = { occurredAt: tx.now, baseUrl: tx.rules.baseUrl };
  const event = prepareEvent(preparation, accountId, input);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [result] = (await storeEvents(tx, [event], { unlisted: true })).results;
    if (result === undefined || result === 'unresolved') continue;
    if (result instanceof Error) throw result;
    if (result.created) tx.wake({ kind: 'due' });
    return result;
  }
  throw keyUnresolved();
}

/** Makes the error for a key that other transactions keep committing and deleting. */
export function keyUnresolved(): SemaphoreRejected {
  return new SemaphoreRejected(`The event of the key was not visible after ${maxTries} tries.`);
}
