import { sign } from '../src/domain/delivery/signature.js';

export interface SignedMessage {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  readonly body: Buffer;
  readonly at: Date;
}

/** The headers of a first attempt, with both formats of the signature. */
export function signedHeaders(
  secret: string,
  { eventId, eventType, deliveryId, body, at }: SignedMessage,
): Record<string, string> {
  const signatures = sign([secret], eventId, body, at);
  return {
    Accept: '*/*',
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Service-Webhooks/1.0',
    'webhook-id': eventId,
    'webhook-timestamp': signatures.timestamp,
    'webhook-signature': signatures.standard,
    'X-Service-Signature': signatures.service,
    'X-Service-Timestamp': signatures.timestamp,
    'X-Service-Event-Id': eventId,
    'X-Service-Event-Type': eventType,
    'X-Service-Delivery-Id': deliveryId,
    'X-Service-Attempt': '1',
  };
}
