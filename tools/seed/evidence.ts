import type { DeliveryEvidence } from '../../src/domain/delivery/delivery.entity.js';
import type { Header } from '../../src/domain/delivery/evidence.js';
import type { DeliveryRow, Subscriber } from './deliveries.js';

/** An address that belongs to no one (RFC 5737). */
const address = '203.0.113.24';

/** How long the phases before the request take, in milliseconds. */
const lookupMs = 3;
const connectMs = 11;
const tlsMs = 24;

const pages: Readonly<Record<string, string>> = {
  status_500: '{"error":"internal_error","message":"deadlock detected"}',
  status_503: '<html><head><title>503 Service Temporarily Unavailable</title></head></html>',
};

/** The evidence of these records: of attempts that failed, and of those that succeeded after failures. */
export function evidenceOf(
  deliveries: readonly DeliveryRow[],
  subscribers: readonly Subscriber[],
): DeliveryEvidence[] {
  const urls = new Map(subscribers.map(({ id, url }) => [id, url]));
  return deliveries
    .filter(({ status, attempt }) => status !== 'success' || attempt > 1)
    .map((delivery) => evidenceOfOne(delivery, urls.get(delivery.endpointId) ?? ''));
}

function evidenceOfOne(delivery: DeliveryRow, url: string): DeliveryEvidence {
  const { id, responseStatus, failureReason, durationMs, createdAt } = delivery;
  const answered = responseStatus !== null;
  const totalMs = durationMs ?? 0;
  const page = failureReason === null ? 'ok' : (pages[failureReason] ?? '');
  return {
    deliveryId: id,
    url,
    requestHeaders: requestHeadersOf(delivery),
    phase: answered ? 'end' : 'response',
    address,
    tlsVersion: 'TLSv1.3',
    detail: failureReason === 'connection_reset' ? 'ECONNRESET' : null,
    lookupMs,
    connectMs,
    tlsMs,
    firstByteMs: answered ? Math.max(1, totalMs - lookupMs - connectMs - tlsMs) : null,
    totalMs,
    responseHeaders: answered ? responseHeadersOf(page, createdAt) : null,
    body: answered ? Buffer.from(page) : null,
    bodyTruncated: false,
  };
}

function requestHeadersOf({ id, eventId, eventType, attempt, createdAt }: DeliveryRow): Header[] {
  const seconds = String(Math.floor(createdAt.getTime() / 1_000));
  return [
    ['content-type', 'application/json; charset=utf-8'],
    ['user-agent', 'Service-Webhooks/1.0'],
    ['webhook-id', eventId],
    ['webhook-timestamp', seconds],
    ['x-service-timestamp', seconds],
    ['x-service-event-id', eventId],
    ['x-service-event-type', eventType],
    ['x-service-delivery-id', id],
    ['x-service-attempt', String(attempt)],
  ];
}

function responseHeadersOf(page: string, at: Date): Header[] {
  const type = page.startsWith('<')
    ? 'text/html'
    : page === 'ok'
      ? 'text/plain'
      : 'application/json';
  return [
    ['date', at.toUTCString()],
    ['content-type', type],
    ['content-length', String(page.length)],
    ['server', 'nginx'],
  ];
}
