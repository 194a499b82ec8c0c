import { exitCodes, Failure } from '../failure.js';
import type { Client } from './client.js';
import { Refusal } from './problem.js';
import { type Answer, resultOf } from './run-document.js';

/** How the catalogue differs from a file. */
export interface CatalogueChanges {
  readonly changed: readonly { readonly id: string; readonly changes: readonly string[] }[];
  /** Types that the file does not name; they stay. */
  readonly missing: readonly string[];
}

// As text: the internal listener takes every operation, and the public one has none of operators.
const query = `mutation applyCatalogue($file: String!, $dryRun: Boolean!) {
  applyCatalogue(file: $file, dryRun: $dryRun) { changed { id changes } missing }
}`;

/**
 * Puts every event type of a file at the internal listener, or none.
 * @throws Failure when the URL is not that of an internal listener
 */
export async function applyCatalogue(
  client: Client,
  file: string,
  dryRun: boolean,
): Promise<CatalogueChanges> {
  const body = { query, variables: { file, dryRun } };
  try {
    const call = { method: 'POST', path: '/graphql', body } as const;
    return resultOf(await client.call<Answer<{ applyCatalogue: CatalogueChanges }>>(call))
      .applyCatalogue;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    const text = `${client.url} takes no changes of the catalogue: give the URL of the internal listener.`;
    throw new Failure(text, exitCodes.refused, { cause: error });
  }
}
