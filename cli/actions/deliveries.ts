import { randomUUID } from 'node:crypto';
import { runDocument } from '../api/run-document.js';
import { listByDocument } from '../api/pages.js';
import {
  deliveriesDocument,
  type deliveriesQuery,
  deliveryDocument,
  viewerDocument,
} from '../generated/documents.js';
import { instantOf } from '../instant.js';
import { type CommonOptions, openContext } from '../context.js';
import { member, status, time } from '../output/columns.js';
import { snakeNames } from '../output/snake-names.js';
import type { Column } from '../output/table.js';
import type { KeyedOptions } from './endpoints.js';

export interface DeliveryListOptions extends CommonOptions {
  readonly limit: number;
  readonly status?: Delivery['status'];
  readonly endpoint?: string;
  readonly type?: string;
  readonly event?: string;
  readonly since?: string;
  readonly until?: string;
  /** True for `--test`, false for `--no-test`. */
  readonly test?: boolean;
  readonly replayed?: boolean;
}

type Delivery = deliveriesQuery['webhookDeliveries']['data'][number];

const path = '/v1/webhooks/deliveries';

/** The columns of an attempt. */
const columns: readonly Column<Delivery>[] = [
  member('id'),
  status(),
  { title: 'TRY', spare: 3, text: ({ attempt, maxAttempts }) => `${attempt}/${maxAttempts}` },
  member('responseStatus', { title: 'CODE' }),
  member('durationMs', { title: 'MS', spare: 2 }),
  member('eventType', { title: 'EVENT', free: true }),
  member('eventId', { title: 'EVENT ID', spare: 1 }),
  time('createdAt', 'BEGAN'),
];

export async function listDeliveries(options: DeliveryListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const filter = {
    status: options.status ?? null,
    endpoint: options.endpoint ?? null,
    type: options.type ?? null,
    event: options.event ?? null,
    since: instantOf(options.since),
    until: instantOf(options.until),
    test: options.test ?? null,
    replayed: options.replayed ?? null,
  };
  const { items, more } = await listByDocument<Delivery>(
    async (page) =>
      (await runDocument(client, deliveriesDocument, { ...filter, ...page })).webhookDeliveries,
    options.limit,
  );
  print.rows(columns, items, snakeNames);
  if (more) print.note(`There are more: --limit ${options.limit * 2}.`);
}

export async function showDelivery(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { webhookDelivery } = await runDocument(client, deliveryDocument, { id });
  print.value(snakeNames(webhookDelivery));

  const { responseHeaders, responseBody } = webhookDelivery.evidence ?? {};
  if (!responseHeaders || responseBody) return;
  const { viewer } = await runDocument(client, viewerDocument, {});
  if (viewer.permissions.orders === 'none') {
    print.note('The key may not read orders, so the body of the response is not shown.');
  }
}

export async function replayDelivery(id: string, options: KeyedOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { data } = await client.call<{ data: object }>({
    method: 'POST',
    path: `${path}/${encodeURIComponent(id)}/replay`,
    idempotencyKey: options.idempotencyKey ?? randomUUID(),
  });
  print.value(data);
}
