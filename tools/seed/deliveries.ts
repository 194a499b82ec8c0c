import type { Delivery } from '../../src/domain/delivery/delivery.entity.js';
import { makeId } from '../../src/domain/id.js';
import { Random } from './random.js';
import type { EventRow } from './timeline.js';

/** A row of `delivery`. PostgreSQL fills in the rest. */
export type DeliveryRow = Readonly<Omit<Delivery, 'xid' | 'writtenAt'>>;

/** An endpoint that received events. */
export interface Subscriber {
  readonly id: string;
  readonly eventTypes: readonly string[];
  /** Between these times every attempt fails; at `until` the service disabled the endpoint. */
  readonly failing: { readonly from: Date; readonly until: Date } | null;
}

export interface DeliveryOptions {
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

/** Long enough for three failed attempts and a successful fourth on the default schedule. */
const recentMs = 3_600_000;

const failureResults: readonly AttemptResult[] = [
  { status: 503, reason: 'status_503' },
  { status: 500, reason: 'status_500' },
  { status: null, reason: 'timeout' },
  { status: null, reason: 'connection_reset' },
];

/** Generates the delivery records of these events to these endpoints. */
export function generateDeliveries(
  events: readonly EventRow[],
  options: DeliveryOptions,
): DeliveryRow[] {
  const { subscribers, seed } = options;
  return subscribers.flatMap((subscriber) =>
    events
      .filter(({ type }) => subscriber.eventTypes.includes(type))
      .flatMap((event) => {
        const random = new Random(seed + event.occurredAt.getTime());
        return attemptsOf(event, subscriber, options, random);
      }),
  );
}

function attemptsOf(
  event: EventRow,
  { id: endpointId, failing }: Subscriber,
  { delaysMs, now }: DeliveryOptions,
  random: Random,
): DeliveryRow[] {
  const pendingDeliveryId = makeId('pdl', event.occurredAt);
  const failures = failing ? delaysMs.length + 1 : failuresOf(random, event, now);
  const end = (failing ? failing.until : now).getTime();
  const rows: DeliveryRow[] = [];
  let at = event.occurredAt.getTime() + random.integer(15, 90);
  if (failing && (at < failing.from.getTime() || at > end)) return rows;
  for (let attempt = 1; at < end; attempt += 1) {
    const last = delaysMs[attempt - 1] === undefined;
    const failed = attempt <= failures;
    const result = failed ? random.pick(failureResults) : { status: 200, reason: null };
    const createdAt = new Date(at);
    const durationMs = result.reason === 'timeout' ? 15_000 : random.integer(18, 900);
    const next = at + durationMs + (delaysMs[attempt - 1] ?? 0);
    rows.push({
      id: makeId('whd', createdAt),
      ...{ accountId: event.accountId, endpointId, pendingDeliveryId, eventId: event.id },
      ...{ eventType: event.type, eventVersion: event.version, attempt },
      maxAttempts: delaysMs.length + 1,
      // Disabling the endpoint cancelled the next attempt.
      status: failed ? (!last && next >= end ? 'abandoned' : 'failed') : 'success',
      test: false,
      replayedFrom: null,
      responseStatus: result.status,
      failureReason: result.reason,
      ...{ durationMs, createdAt },
      deliveredAt: failed ? null : new Date(at + durationMs),
    });
    if (!failed || last) break;
    at = next;
  }
  return rows;
}

/** Recent events never fail: their retries would still be pending, and no worker would send them. */
function failuresOf(random: Random, { occurredAt }: EventRow, now: Date): number {
  if (random.boolean(0.94) || occurredAt.getTime() > now.getTime() - recentMs) return 0;
  return random.pick([1, 1, 1, 2, 3]);
}
