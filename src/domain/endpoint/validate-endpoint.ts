import type { Issue } from '../errors.js';
import { readCatalogueEntries } from '../event/event-types.js';
import { checkSubscription } from '../event/subscription-rule.js';
import type { Read } from '../tx.js';
import { type EndpointPatch, patchIssues } from './endpoint-input.js';
import { getEndpoint } from './endpoints.js';

/**
 * What fields of an endpoint would be refused for, all at once, without changing anything: for a
 * request that is refused whatever they are. A field that is absent is not judged.
 * @param id of the endpoint that would be changed; undefined for one that would be created
 * @throws DomainError not_found
 */
export async function validateEndpoint(
  read: Read,
  account: string,
  id: string | undefined,
  fields: EndpointPatch,
): Promise<Issue[]> {
  const { eventTypes } = fields;
  const issues = patchIssues(fields, read.rules.privateTargets);
  if (eventTypes == null) return issues;
  const current = id === undefined ? [] : (await getEndpoint(read, account, id)).eventTypes;
  const entries = await readCatalogueEntries(read, eventTypes);
  return [...issues, ...checkSubscription(current, eventTypes, entries).errors];
}
