import type { deliveriesQuery, deliveryQuery } from '../../generated/documents.js';
import { endpoint } from './sample-endpoints.js';
import { hiddenText, longUrl } from './sample-texts.js';
import { minutesAgo } from './sample-times.js';

type Delivery = deliveriesQuery['deliveries']['data'][number];

const eventId = 'evt_0Vb0000000000000000000c1';

export const delivery: Delivery = {
  id: 'whd_0Vb0000000000000000000d0',
  status: 'failed',
  attempt: 3,
  maxAttempts: 8,
  createdAt: minutesAgo(4),
  durationMs: 128,
  responseStatus: 503,
  failureReason: null,
  eventId,
  eventType: 'cart.order.completed',
  test: false,
  replayedFrom: null,
  endpoint: { id: endpoint.id, url: endpoint.url },
};

const id = (number: number) => `whd_0Vb0000000000000000000d${number}`;

/** The attempts of one event, newest first, as the service lists them. */
export const attempts: readonly Delivery[] = [
  { ...delivery, id: id(4), status: 'success', attempt: 4, responseStatus: 200 },
  delivery,
  {
    ...delivery,
    id: id(2),
    attempt: 2,
    createdAt: minutesAgo(9),
    responseStatus: null,
    failureReason: 'timeout',
  },
  { ...delivery, id: id(1), attempt: 1, createdAt: minutesAgo(2_000) },
];

/** Rows of each outcome: a test, a replay, one whose endpoint is gone, long and hidden texts. */
export const rows: readonly Delivery[] = [
  { ...delivery, id: id(5), status: 'success', responseStatus: 200, test: true },
  { ...delivery, id: id(6), status: 'abandoned', attempt: 8, replayedFrom: delivery.id },
  { ...delivery, id: id(7), endpoint: null, responseStatus: null, failureReason: 'tls' },
  { ...delivery, id: id(8), endpoint: { id: endpoint.id, url: longUrl }, durationMs: null },
  { ...delivery, id: id(9), eventType: hiddenText, createdAt: minutesAgo(5_000) },
];

/** Numbers keep all their digits. */
export const body = `{"id":"${eventId}","type":"cart.order.completed","data":{"total":12345678901234567890,\
"note":${JSON.stringify(hiddenText)},"lines":[{"name":"Poster","quantity":2},{},[]],"paid":true,"voucher":null}}`;

export const evidence: NonNullable<deliveryQuery['delivery']['evidence']> = {
  url: endpoint.url,
  failure: null,
  warning: 'The receiver accepted the event, but its response is incomplete.',
  address: '192.0.2.7',
  tlsVersion: 'TLSv1.3',
  requestHeaders: [
    { name: 'webhook-id', value: eventId },
    { name: 'webhook-timestamp', value: '1795608000' },
    { name: 'webhook-signature', value: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' },
  ],
  responseHeaders: [
    { name: 'content-type', value: 'application/json' },
    { name: 'x-note', value: hiddenText },
  ],
  responseBody: { content: '{"error":"closed"}', encoding: 'text', truncated: true },
  timings: { lookupMs: 4, connectMs: 12, tlsMs: 31, firstByteMs: 68, totalMs: 128 },
};

/** The attempt that the drawer shows. */
export const inspected: deliveryQuery['delivery'] = {
  ...delivery,
  deliveredAt: null,
  nextAttemptAt: minutesAgo(-16),
  eventVersion: '1',
  evidence,
};
