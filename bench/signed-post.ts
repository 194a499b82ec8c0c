import type { Pool } from 'undici';
import { sign } from '../src/domain/delivery/signature.js';

/** What is sent, and under which names. */
export interface SignedPost {
  readonly eventId: string;
  readonly eventType: string;
  readonly deliveryId: string;
  readonly body: Buffer;
  readonly at: Date;
}

/** Signs both ways and POSTs with the headers of a first attempt. @returns the answer's status */
export async function signedPost(
  receivers: Pool,
  secret: string,
  { eventId, eventType, deliveryId, body, at }: SignedPost,
): Promise<number> {
  const signatures = sign([secret], eventId, body, at);
  const response = await receivers.request({
    path: '/',
    method: 'POST',
    headers: {
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
    },
    body,
  });
  await response.body.dump();
  return response.statusCode;
}
