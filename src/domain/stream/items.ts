import { type Delivery, deliveryColumns } from '../delivery/deliveries.js';
import { evidenceOfDeliveries, type ShownEvidence } from '../delivery/evidence-of-deliveries.js';
import type { EndpointView } from '../endpoint/endpoint.entity.js';
import { endpointColumns } from '../endpoint/endpoints.js';
import type { Event } from '../event/event.entity.js';
import type { Read, Statement } from '../transaction/tx.js';
import type { Change, StreamKind } from './changes.js';

/** An event in a stream. */
export interface StreamedEvent extends Pick<
  Event,
  'id' | 'type' | 'occurredAt' | 'test' | 'endpointId'
> {
  /** The body that endpoints get, byte for byte. */
  readonly body: string;
}

/** An endpoint as it is now. */
export interface StreamedEndpoint extends EndpointView {
  readonly deletedAt: Date | null;
}

/** The row that a change is about. */
export type StreamItem =
  | { readonly kind: 'event'; readonly event: StreamedEvent }
  | {
      readonly kind: 'delivery';
      readonly delivery: Delivery;
      readonly evidence: ShownEvidence | undefined;
    }
  | { readonly kind: 'endpoint'; readonly endpoint: StreamedEndpoint };

const eventsStatement: Statement = {
  name: 'stream_events',
  text: `
    select e.id, e.type, e.occurred_at as "occurredAt", e.test, e.endpoint_id as "endpointId",
           convert_from(e.body, 'UTF8') as body
      from unnest($1::text[]) i (id)
      cross join lateral (select * from event e where e.id = i.id limit 1) e`,
};

const deliveriesStatement: Statement = {
  name: 'stream_deliveries',
  text: `
    select ${deliveryColumns} from unnest($1::text[], $2::text[]) i (account_id, id)
      cross join lateral (
        select * from delivery d where d.account_id = i.account_id and d.id = i.id limit 1) d`,
};

const endpointsStatement: Statement = {
  name: 'stream_endpoints',
  text: `
    select ${endpointColumns}, deleted_at as "deletedAt"
      from unnest($1::text[]) i (endpoint_id)
      cross join lateral (select * from endpoint e where e.id = i.endpoint_id limit 1) e`,
};

/** Loads the rows that the changes are about, by id. Rows that have been deleted meanwhile are missing. */
export async function loadItems(
  read: Read,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, StreamItem>> {
  const of = (kind: StreamKind) => changes.filter((change) => change.kind === kind);
  const ids = (kind: StreamKind) => of(kind).map(({ id }) => id);
  const rows = <Row>(kind: StreamKind, statement: Statement, values: readonly unknown[]) =>
    of(kind).length === 0 ? [] : read.sql<Row>(statement, values);
  const accounts = of('delivery').map(({ account }) => account);
  const [events, deliveries, endpoints] = await Promise.all([
    rows<StreamedEvent>('event', eventsStatement, [ids('event')]),
    rows<Delivery>('delivery', deliveriesStatement, [accounts, ids('delivery')]),
    rows<StreamedEndpoint>('endpoint', endpointsStatement, [ids('endpoint')]),
  ]);

  const evidence = deliveries.length > 0 ? await evidenceOfDeliveries(read, deliveries) : new Map();
  return new Map<string, StreamItem>([
    ...events.map((event) => [event.id, { kind: 'event', event }] as const),
    ...deliveries.map((delivery) => {
      const shown = evidence.get(delivery.id) as ShownEvidence | undefined;
      return [delivery.id, { kind: 'delivery', delivery, evidence: shown }] as const;
    }),
    ...endpoints.map((endpoint) => [endpoint.id, { kind: 'endpoint', endpoint }] as const),
  ]);
}
