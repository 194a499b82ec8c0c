import { sampleData } from './sample-data.js';
import { getEndpoint } from '../endpoint/endpoints.js';
import { DomainError, validationFailed } from '../errors.js';
import { publishEvent } from '../event/publish.js';
import type { Published } from '../event/store-events.js';
import type { Tx } from '../tx.js';

/**
 * Sends a sample event to one endpoint, even if it does not subscribe to the type. The event is
 * signed and has `test` true. It gets one attempt, which does not count for disabling.
 * @throws DomainError not_found
 * @throws DomainError endpoint_inactive
 * @throws DomainError validation_failed for a type that is unknown or that the service does not
 *   send
 */
export async function sendTestEvent(
  tx: Tx,
  account: string,
  endpointId: string,
  type: string,
): Promise<Published> {
  const { id, active } = await getEndpoint(tx, account, endpointId);
  if (!active) {
    throw new DomainError('endpoint_inactive', 'The endpoint is not active. Activate it first.');
  }
  const data = sampleData(type, tx.now);
  if (!data) {
    const detail = 'Must be an event type that the service emits.';
    throw validationFailed([{ code: 'invalid_value', detail, param: 'type' }]);
  }
  const subject = `test:${id}`;
  return publishEvent(tx, account, { type, subject, data, test: true, endpointId: id });
}
