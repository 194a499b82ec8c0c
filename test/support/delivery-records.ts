import { expect } from 'chai';
import { type DeliveryBody, listDeliveries } from './endpoints.js';
import { eventually } from './eventually.js';
import type { RestClient } from './rest-client.js';
import type { Service } from './service.js';

/** Returns the deliveries of an event, oldest first, among the newest 100 of the account. */
export async function recordsOf(
  rest: RestClient,
  eventId: string,
): Promise<readonly DeliveryBody[]> {
  const records = await listDeliveries(rest, '?limit=100');
  return records.filter((record) => record.event_id === eventId).toReversed();
}

/** Waits until the deliveries of an event have exactly these statuses, oldest first. */
export function recordedAs<const Statuses extends readonly DeliveryBody['status'][]>(
  rest: RestClient,
  eventId: string,
  statuses: Statuses,
): Promise<{ readonly [Index in keyof Statuses]: DeliveryBody }> {
  return eventually(
    async () => {
      const records = await recordsOf(rest, eventId);
      expect(records.map(({ status }) => status)).to.deep.equal(statuses);
      return records as unknown as { readonly [Index in keyof Statuses]: DeliveryBody };
    },
    `the records of ${eventId} are ${statuses.join(', ')}`,
  );
}

/** Waits until the first delivery of an event has this status. Unlike {@link recordedAs}, others may follow. */
export function firstRecordedAs(
  rest: RestClient,
  eventId: string,
  status: DeliveryBody['status'],
): Promise<DeliveryBody> {
  return eventually(async () => {
    const [first] = await recordsOf(rest, eventId);
    expect(first?.status).to.equal(status);
    return first!;
  }, `the first record of ${eventId} is ${status}`);
}

/** Makes the next attempt for an event due now; `attempt` sets its number. */
export async function makeDue(service: Service, eventId: string, attempt?: number): Promise<void> {
  await service.database.query(
    'update pending_delivery set due_at = now(), attempt = coalesce($2, attempt) where event_id = $1',
    [eventId, attempt ?? null],
  );
}

/** Returns the seconds from the end of an attempt until the next one is due; null when there is none. */
export async function secondsUntilNext(
  service: Service,
  { id, created_at, duration_ms = 0 }: DeliveryBody,
): Promise<number | null> {
  const [row] = await service.database.query<{ due: Date }>(
    'select due_at as due from pending_delivery where last_delivery_id = $1',
    [id],
  );
  return row ? (row.due.getTime() - Date.parse(created_at) - duration_ms) / 1_000 : null;
}
