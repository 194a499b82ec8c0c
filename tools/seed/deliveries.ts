import type { Delivery, DeliveryEvidence } from '../../src/domain/delivery/delivery.entity.js';
import type { Header } from '../../src/domain/delivery/evidence.js';
import { makeId } from '../../src/domain/values/id.js';
import { Random } from './random.js';
import type { EventRow } from './timeline.js';

/** A row of `delivery`. PostgreSQL fills in the rest. */
type DeliveryRow = Readonly<Omit<Delivery, 'xid' | 'writtenAt'>>;

/** An endpoint that received events. */
export interface Subscriber {
  readonly id: string;
  readonly url: string;
  /** The duration of half of its responses, in milliseconds. */
  readonly medianMs: number;
  readonly eventTypes: readonly string[];
  /** Between these times every attempt fails; at `until` the service disabled the endpoint. */
  readonly failing: { readonly from: Date; readonly until: Date } | null;
}

interface DeliveryOptions {
  readonly seed: number;
  readonly subscribers: readonly Subscriber[];
  /** Delays before attempts 2, 3, …. */
  readonly delaysMs: readonly number[];
  /** No attempt begins later. */
  readonly now: Date;
}

interface AttemptResult {
  readonly status: number | null;
  readonly reason: string | null;
}

/** The statistics that these records add to an endpoint in one hour. */
interface StatisticsRow {
  readonly endpointId: string;
  readonly hour: Date;
  success: number;
  failed: number;
  abandoned: number;
  retries: number;
  readonly durationsMs: number[];
}

const hourMs = 3_600_000;

/** Long enough for three failed attempts and a successful fourth on the default schedule. */
const recentMs = hourMs;

const unavailable: AttemptResult = { status: 503, reason: 'status_503' };

const broken: AttemptResult = { status: 500, reason: 'status_500' };

const reset: AttemptResult = { status: null, reason: 'connection_reset' };

/** Few are timeouts, which take so long that a chart would show nothing else. */
const failureResults: readonly AttemptResult[] = [
  unavailable,
  unavailable,
  unavailable,
  unavailable,
  broken,
  broken,
  broken,
  reset,
  reset,
  { status: null, reason: 'timeout' },
];

/** An address for documentation, which belongs to nobody (RFC 5737). */
const address = '203.0.113.24';

/** How long the phases before the request take, in milliseconds. */
const lookupMs = 3;
const connectMs = 11;
const tlsMs = 24;

const responseBodies: Readonly<Record<string, string>> = {
  status_500: '{"error":"internal_error","message":"deadlock detected"}',
  status_503: '<html><head><title>503 Service Temporarily Unavailable</title></head></html>',
};

/** Generates the delivery records of these events to these endpoints. */
export function generateDeliveries(
  events: readonly EventRow[],
  options: DeliveryOptions,
): DeliveryRow[] {
  const { subscribers, seed } = options;
  return subscribers.flatMap((subscriber, place) =>
    events
      .filter(({ type }) => subscriber.eventTypes.includes(type))
      .flatMap((event) => {
        // Events of one sale have the same time.
        const random = new Random(
          seed + event.occurredAt.getTime() + place + 7 * event.type.length,
        );
        return attemptsOf(event, subscriber, options, random);
      }),
  );
}

/** Generates the evidence of failed attempts, and of those that succeeded after failures. */
export function evidenceOf(
  deliveries: readonly DeliveryRow[],
  subscribers: readonly Subscriber[],
): DeliveryEvidence[] {
  const urls = new Map(subscribers.map(({ id, url }) => [id, url]));
  return deliveries
    .filter(({ status, attempt }) => status !== 'success' || attempt > 1)
    .map((delivery) => evidenceOfDelivery(delivery, urls.get(delivery.endpointId) ?? ''));
}

/** Counts records as the service does when it writes them. */
export function statisticsOf(deliveries: readonly DeliveryRow[]): StatisticsRow[] {
  const rows = new Map<string, StatisticsRow>();

  for (const { endpointId, createdAt, status, attempt, durationMs } of deliveries) {
    const hour = Math.floor(createdAt.getTime() / hourMs) * hourMs;
    const key = `${endpointId} ${hour}`;
    const row = rows.get(key) ?? {
      endpointId,
      hour: new Date(hour),
      success: 0,
      failed: 0,
      abandoned: 0,
      retries: 0,
      durationsMs: [],
    };

    rows.set(key, row);
    row[status] += 1;
    if (attempt > 1) row.retries += 1;
    if (durationMs !== null) row.durationsMs.push(durationMs);
  }

  return [...rows.values()];
}

function attemptsOf(
  event: EventRow,
  { id: endpointId, failing, medianMs }: Subscriber,
  { delaysMs, now }: DeliveryOptions,
  random: Random,
): DeliveryRow[] {
  const first = event.occurredAt.getTime() + random.integer(15, 90);
  const failsAll = failing !== null && first >= failing.from.getTime();

  // A disabled endpoint receives nothing more.
  if (failing !== null && first > failing.until.getTime()) return [];

  const pendingDeliveryId = makeId('pdl', event.occurredAt);
  const failures = failsAll ? delaysMs.length + 1 : failuresOf(random, event, failing?.from ?? now);
  const end = (failsAll ? failing.until : now).getTime();
  const rows: DeliveryRow[] = [];
  let at = first;
  for (let attempt = 1; at < end; attempt += 1) {
    const last = delaysMs[attempt - 1] === undefined;
    const failed = attempt <= failures;
    const result = failed ? random.pick(failureResults) : { status: 200, reason: null };
    const createdAt = new Date(at);
    const durationMs = result.reason === 'timeout' ? 15_000 : durationOf(random, medianMs);
    const next = at + durationMs + (delaysMs[attempt - 1] ?? 0);
    rows.push({
      id: makeId('whd', createdAt),
      accountId: event.accountId,
      endpointId,
      pendingDeliveryId,
      eventId: event.id,
      eventType: event.type,
      eventVersion: event.version,
      attempt,
      maxAttempts: delaysMs.length + 1,
      // Disabling the endpoint cancelled the next attempt.
      status: failed ? (last || next >= end ? 'abandoned' : 'failed') : 'success',
      test: false,
      replayedFrom: null,
      responseStatus: result.status,
      failureReason: result.reason,
      durationMs,
      createdAt,
      deliveredAt: failed ? null : new Date(at + durationMs),
    });
    if (!failed || last) break;

    at = next;
  }

  return rows;
}

/** Most response times are near the median; few take seconds. */
function durationOf(random: Random, medianMs: number): number {
  const spread = random.next() + random.next() + random.next() - 1.5;
  const slow = random.boolean(0.02) ? 12 : 1;
  return Math.max(1, Math.round(medianMs * slow * Math.exp(spread)));
}

/** Recent events never fail: their retries would still be pending, and no worker would send them. */
function failuresOf(random: Random, { occurredAt }: EventRow, end: Date): number {
  if (random.boolean(0.94) || occurredAt.getTime() > end.getTime() - recentMs) return 0;
  return random.pick([1, 1, 1, 2, 3]);
}

function evidenceOfDelivery(delivery: DeliveryRow, url: string): DeliveryEvidence {
  const { id, responseStatus, failureReason, durationMs, createdAt } = delivery;
  const responded = responseStatus !== null;
  const totalMs = durationMs ?? 0;
  const body = failureReason === null ? 'ok' : (responseBodies[failureReason] ?? '');
  return {
    deliveryId: id,
    url,
    requestHeaders: requestHeadersOf(delivery),
    phase: responded ? 'end' : 'response',
    address,
    tlsVersion: 'TLSv1.3',
    detail: failureReason === 'connection_reset' ? 'ECONNRESET' : null,
    lookupMs,
    connectMs,
    tlsMs,
    firstByteMs: responded ? Math.max(1, totalMs - lookupMs - connectMs - tlsMs) : null,
    totalMs,
    responseHeaders: responded ? responseHeadersOf(body, createdAt) : null,
    body: responded ? Buffer.from(body) : null,
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

function responseHeadersOf(body: string, at: Date): Header[] {
  const type = body.startsWith('<')
    ? 'text/html'
    : body === 'ok'
      ? 'text/plain'
      : 'application/json';
  return [
    ['date', at.toUTCString()],
    ['content-type', type],
    ['content-length', String(body.length)],
    ['server', 'nginx'],
  ];
}
