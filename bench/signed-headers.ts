import { sign } from '../src/domain/delivery/rules/signature.js';

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
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Service-Webhooks/1.0',
    'webhook-id': eventId,
    'webhook-timestamp': signatures.timestamp,
    'webhook-signature': signatures.standard,
    'x-service-signature': signatures.service,
    'x-service-timestamp': signatures.timestamp,
    'x-service-event-id': eventId,
    'x-service-event-type': eventType,
    'x-service-delivery-id': deliveryId,
    'x-service-attempt': '1',
  };
}
