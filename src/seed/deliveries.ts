import type { DeliveryStatus } from '../domain/delivery/settlement.js';
import { Chance } from './chance.js';
import type { MakeId } from './open-checkouts.js';
import type { EventRow } from './telling.js';

/** A row of `delivery`. */
export interface DeliveryRow {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly chainId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly eventVersion: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly status: DeliveryStatus;
  readonly test: boolean;
  readonly replayedFrom: string | null;
  readonly responseStatus: number | null;
  readonly failureReason: string | null;
  readonly durationMs: number;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
}

/** An endpoint that events were sent to. */
export interface Listener {
  readonly id: string;
  readonly eventTypes: readonly string[];
  /** Fails every attempt between the two moments; at the second one it was disabled. */
  readonly broken: { readonly from: Date; readonly until: Date } | null;
}

/** How deliveries went. */
export interface Deliveries {
  readonly seed: number;
  readonly listeners: readonly Listener[];
  /** Delays before attempts 2, 3, …, in milliseconds. */
  readonly delaysMs: readonly number[];
  /** What is later has not happened. */
  readonly now: Date;
  readonly makeId: MakeId;
}

interface Ending {
  readonly status: number | null;
  readonly reason: string | null;
}

/** Within it three attempts may fail and a fourth succeed, under the default schedule. */
const recentMs = 3_600_000;

const unreliable: readonly Ending[] = [
  { status: 503, reason: 'status_503' },
  { status: 500, reason: 'status_500' },
  { status: null, reason: 'timeout' },
  { status: null, reason: 'connection_reset' },
];

/** The records of the attempts to bring these events to the listeners. */
export function deliveriesOf(events: readonly EventRow[], deliveries: Deliveries): DeliveryRow[] {
  const { listeners, seed } = deliveries;
  return listeners.flatMap((listener) =>
    events
      .filter(({ type }) => listener.eventTypes.includes(type))
      .flatMap((event) => {
        const chance = new Chance(seed + event.occurredAt.getTime());
        return chainOf(event, listener, deliveries, chance);
      }),
  );
}

function chainOf(
  event: EventRow,
  { id: endpointId, broken }: Listener,
  { delaysMs, now, makeId }: Deliveries,
  chance: Chance,
): DeliveryRow[] {
  const chainId = makeId('chn', event.occurredAt);
  const failures = broken ? delaysMs.length + 1 : failuresOf(chance, event, now);
  const end = (broken ? broken.until : now).getTime();
  const rows: DeliveryRow[] = [];
  let at = event.occurredAt.getTime() + chance.whole(15, 90);
  if (broken && (at < broken.from.getTime() || at > end)) return rows;
  for (let attempt = 1; at < end; attempt += 1) {
    const last = delaysMs[attempt - 1] === undefined;
    const failed = attempt <= failures;
    const ending = failed ? chance.oneOf(unreliable) : { status: 200, reason: null };
    const createdAt = new Date(at);
    const durationMs = ending.reason === 'timeout' ? 15_000 : chance.whole(18, 900);
    const next = at + durationMs + (delaysMs[attempt - 1] ?? 0);
    rows.push({
      id: makeId('whd', createdAt),
      ...{ accountId: event.accountId, endpointId, chainId, eventId: event.id },
      ...{ eventType: event.type, eventVersion: event.version, attempt },
      maxAttempts: delaysMs.length + 1,
      // Cut off by the disabling: its next attempt was cancelled.
      status: failed ? (!last && next >= end ? 'abandoned' : 'failed') : 'success',
      test: false,
      replayedFrom: null,
      responseStatus: ending.status,
      failureReason: ending.reason,
      ...{ durationMs, createdAt },
      deliveredAt: failed ? null : new Date(at + durationMs),
    });
    if (!failed || last) break;
    at = next;
  }
  return rows;
}

/** None that is too recent to have ended well by now: nobody would go on. */
function failuresOf(chance: Chance, { occurredAt }: EventRow, now: Date): number {
  if (chance.happens(0.94) || occurredAt.getTime() > now.getTime() - recentMs) return 0;
  return chance.oneOf([1, 1, 1, 2, 3]);
}
