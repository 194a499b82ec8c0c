import type { Delivery } from '../../domain/delivery/deliveries.js';
import type { ShownEvidence } from '../../domain/delivery/evidence-of-deliveries.js';
import { settableFields } from '../../domain/endpoint/endpoint.entity.js';
import { snakeCase } from '../../domain/transaction/sql.js';
import type { StreamedEndpoint, StreamedEvent, StreamItem } from '../../domain/stream/items.js';

/** What a stream shows of the items that its client may read. */
export interface StreamAccess {
  /** Whether events come with their bodies. */
  readonly bodies: boolean;
}

/** Why the service ends a stream. Its client resumes from the last position. */
export type CutReason =
  | 'credential_revoked'
  | 'database_unavailable'
  | 'shutting_down'
  | 'slow_client';

/** Writes an item as a server-sent event. @param id the position behind it */
export function itemFrame(item: StreamItem, id: string, access: StreamAccess): Buffer {
  return frame(item.kind, dataOf(item, access), id);
}

/** Tells a client where it is, though nothing happened. Keeps connections and positions from ageing. */
export function positionFrame(id: string): Buffer {
  return Buffer.concat([heartbeat, frame('position', {}, id)]);
}

/** A comment, which clients skip. */
export const heartbeat = Buffer.from(': heartbeat\n');

/** The last frame of a stream that the service ends. */
export function cutFrame(reason: CutReason): Buffer {
  return frame('cut', { reason });
}

/** The last frame of a stream whose positions are no longer valid. */
export const resetFrame = frame('reset', { reason: 'database_changed' });

function frame(event: string, data: object, id?: string): Buffer {
  const place = id === undefined ? '' : `id: ${id}\n`;
  return Buffer.from(`${place}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

function dataOf(item: StreamItem, access: StreamAccess): object {
  switch (item.kind) {
    case 'event':
      return eventData(item.event, access);
    case 'delivery':
      return deliveryData(item.delivery, item.evidence);
    case 'endpoint':
      return endpointData(item.endpoint);
  }
}

/** The body is a text: a client that parses and writes JSON again would change the bytes. */
function eventData(
  { id, type, occurredAt, test, body }: StreamedEvent,
  { bodies }: StreamAccess,
): object {
  return {
    id,
    type,
    time: occurredAt,
    test,
    body: bodies ? body : undefined,
  };
}

/** A record as `/v1` lists it, with its endpoint and what shows why it failed. */
function deliveryData(delivery: Delivery, evidence: ShownEvidence | undefined): object {
  return {
    id: delivery.id,
    attempt: delivery.attempt,
    max_attempts: delivery.maxAttempts,
    status: delivery.status,
    created_at: delivery.createdAt,
    delivered_at: delivery.deliveredAt ?? undefined,
    duration_ms: delivery.durationMs ?? undefined,
    response_status: delivery.responseStatus ?? undefined,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    event_version: delivery.eventVersion,
    replayed_from: delivery.replayedFrom ?? undefined,
    test: delivery.test,
    endpoint_id: delivery.endpointId,
    evidence: evidence && evidenceData(evidence),
  };
}

function evidenceData({ url, failure, address, tlsVersion, timings }: ShownEvidence): object {
  return {
    url,
    failure: failure ?? undefined,
    address: address ?? undefined,
    tls_version: tlsVersion ?? undefined,
    lookup_ms: timings.lookupMs ?? undefined,
    connect_ms: timings.connectMs ?? undefined,
    tls_ms: timings.tlsMs ?? undefined,
    first_byte_ms: timings.firstByteMs ?? undefined,
    total_ms: timings.totalMs ?? undefined,
  };
}

function endpointData({ deletedAt, ...endpoint }: StreamedEndpoint): object {
  const created = endpoint.createdAt.getTime() === endpoint.updatedAt.getTime();
  return {
    change: deletedAt ? 'deleted' : created ? 'created' : 'updated',
    endpoint: {
      id: endpoint.id,
      ...Object.fromEntries(settableFields.map((name) => [snakeCase(name), endpoint[name]])),
      disabled_reason: endpoint.disabledReason,
      created_at: endpoint.createdAt,
      updated_at: endpoint.updatedAt,
    },
  };
}
