import type { Tx } from '../tx.js';
import { type EventTypeInput, readDefinitions } from './definition.js';
import { type PutResult, putEventTypes } from './put-event-types.js';

/** How the catalogue differs from a file of event types. */
export interface CatalogueChanges {
  readonly changed: readonly PutResult[];
  /** Ids of types that the file does not name; they stay. */
  readonly missing: readonly string[];
}

/**
 * Puts every event type of a file, or none; removes no type.
 * @param dryRun says what would change, and changes nothing
 * @throws DomainError validation_failed
 */
export async function applyCatalogue(
  tx: Tx,
  inputs: readonly EventTypeInput[],
  dryRun: boolean,
): Promise<CatalogueChanges> {
  const changed = await putEventTypes(tx, inputs, dryRun);
  const named = new Set(inputs.map(({ id }) => id));
  const missing = (await readDefinitions(tx)).map(({ id }) => id).filter((id) => !named.has(id));
  return { changed, missing };
}
