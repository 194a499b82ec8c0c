import type { Issue } from '../errors.js';
import { readCatalogueEntries, checkSubscription } from '../event-type/event-types.js';
import type { Read } from '../tx.js';
import { type EndpointPatch, patchIssues } from './endpoint-input.js';
import { getEndpoint } from './endpoints.js';

/**
 * Validates fields of an endpoint and returns all issues, without changing anything. For a request
 * that is refused for another reason anyway. Absent fields are not validated.
 * @param id the endpoint that would be changed; undefined for a new one
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
