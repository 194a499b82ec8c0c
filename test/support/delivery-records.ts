import { expect } from 'chai';
import { type DeliveryBody, listDeliveries } from './endpoints.js';
import { eventually } from './eventually.js';
import type { RestClient } from './rest-client.js';
import type { Service } from './service.js';

/** The records of an event, earliest first, among the newest hundred of the account. */
export async function recordsOf(
  rest: RestClient,
  eventId: string,
): Promise<readonly DeliveryBody[]> {
  const records = await listDeliveries(rest, '?limit=100');
  return records.filter((record) => record.event_id === eventId).toReversed();
}

/** Waits until the records of an event are exactly of these statuses, earliest first. */
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

/** Makes the next attempt for an event due at once; `attempt` is the number it then has. */
export async function makeDue(service: Service, eventId: string, attempt?: number): Promise<void> {
  await service.database.query(
    'update pending_delivery set due_at = now(), attempt = coalesce($2, attempt) where event_id = $1',
    [eventId, attempt ?? null],
  );
}

/** Seconds from the end of an attempt until the one after it is due; null when there is none. */
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
