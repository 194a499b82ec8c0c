import { validationFailed } from '../errors.js';
import { maxBodyBytes } from '../event/prepare-event.js';
import type { EventData } from './event-data.js';

/** The most that envelope, buyer, order and payment add to the data of a checkout or an offer. */
const envelopeBytes = 8_192;

/**
 * Refuses a new checkout or offer whose later events could be too large. Otherwise a buyer could pay it,
 * but the service could not publish the events of the payment.
 * @throws DomainError validation_failed on `metadata`
 */
export function assertEventFits(data: EventData): void {
  const max = maxBodyBytes - envelopeBytes;
  if (Buffer.byteLength(JSON.stringify(data)) <= max) return;
  const limit = max.toLocaleString('en');
  const detail = `Metadata and line items together must have at most ${limit} bytes of JSON.`;
  throw validationFailed([{ code: 'too_long', detail, param: 'metadata' }]);
}
