import type { Read, Statement } from '../transaction/tx.js';
import type { Delivery } from './deliveries.js';
import type { AttemptTimings } from './outcome.js';
import {
  type ShownBody,
  showBody,
  describeFailure,
  describeIncompleteBody,
  type Header,
} from './evidence.js';
import type { DeliveryEvidence } from './delivery.entity.js';

/** The evidence of an attempt, as its readers see it. */
export interface ShownEvidence {
  readonly url: string;
  readonly requestHeaders: readonly Header[];
  /** Null without a response, or when responses were not kept. */
  readonly responseHeaders: readonly Header[] | null;
  /** Null without a response, or when responses were not kept. */
  readonly responseBody: ShownBody | null;
  readonly timings: AttemptTimings;
  /** Null when nothing was dialled. */
  readonly address: string | null;
  readonly tlsVersion: string | null;
  /** Why the attempt failed, in words; null for a success. */
  readonly failure: string | null;
  /** What was wrong with the response of a success, in words; null for a failure. */
  readonly warning: string | null;
}

/** Looks up each record laterally: the planner could turn a join into a hash of whole partitions. */
const evidenceStatement: Statement = {
  name: 'delivery_evidence_of',
  text: `
    select v.delivery_id as "deliveryId", v.url, v.request_headers as "requestHeaders", v.phase,
           v.address, v.tls_version as "tlsVersion", v.detail, v.lookup_ms as "lookupMs",
           v.connect_ms as "connectMs", v.tls_ms as "tlsMs", v.first_byte_ms as "firstByteMs",
           v.total_ms as "totalMs", v.response_headers as "responseHeaders", v.body,
           v.body_truncated as "bodyTruncated"
      from unnest($1::text[]) i (id)
      cross join lateral (
        select * from delivery_evidence v where v.delivery_id = i.id limit 1) v`,
};

/** Returns the evidence of these records. Records without any are not in the map. */
export async function evidenceOfDeliveries(
  read: Read,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, ShownEvidence>> {
  const rows = await read.sql<DeliveryEvidence>(evidenceStatement, [
    deliveries.map(({ id }) => id),
  ]);
  const rowOf = new Map(rows.map((row) => [row.deliveryId, row]));
  return new Map(
    deliveries.flatMap((delivery) => {
      const row = rowOf.get(delivery.id);
      return row ? [[delivery.id, show(delivery, row)]] : [];
    }),
  );
}

function show({ failureReason, responseStatus }: Delivery, row: DeliveryEvidence): ShownEvidence {
  const { url, requestHeaders, responseHeaders, body, address, tlsVersion, phase, detail } = row;
  const { lookupMs, connectMs, tlsMs, firstByteMs, totalMs } = row;
  const failure =
    failureReason === null
      ? null
      : describeFailure({ reason: failureReason, responseStatus, phase, address, detail });

  return {
    url,
    requestHeaders,
    responseHeaders,
    responseBody: body && showBody(body, row.bodyTruncated, responseHeaders ?? []),
    timings: { lookupMs, connectMs, tlsMs, firstByteMs, totalMs },
    address,
    tlsVersion,
    failure,
    warning: failureReason === null ? describeIncompleteBody({ phase, detail }) : null,
  };
}
