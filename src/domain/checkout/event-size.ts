import { validationFailed } from '../errors.js';
import { maxBodyBytes } from '../event/envelope.js';
import type { EventData } from './event-data.js';

/** What an envelope, a buyer, an order and a payment add to a checkout's or an offer's own data at most. */
const envelopeBytes = 8_192;

/**
 * Refuses the data of what is being made when later events about it could be too large: what could
 * be made and not be told of when it is paid would be lost then (H85).
 * @throws DomainError validation_failed on `metadata`
 */
export function assertEventFits(data: EventData): void {
  const max = maxBodyBytes - envelopeBytes;
  if (Buffer.byteLength(JSON.stringify(data)) <= max) return;
  const detail = `Together with the line items it must have at most ${max.toLocaleString('en')} bytes of JSON.`;
  throw validationFailed([{ code: 'too_long', detail, param: 'metadata' }]);
}
