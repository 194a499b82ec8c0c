import { randomUUID } from 'node:crypto';
import { runDocument } from '../api/run-document.js';
import { deliveryDocument } from '../generated/documents.js';
import { listByCursor } from '../api/pages.js';
import { type CommonOptions, openContext } from '../context.js';
import { member, status, time } from '../output/columns.js';
import type { Column } from '../output/table.js';
import type { KeyedOptions } from './endpoints.js';

export interface DeliveryListOptions extends CommonOptions {
  readonly status?: string;
  readonly limit: number;
}

type Delivery = Readonly<Record<string, unknown>>;

const path = '/v1/webhooks/deliveries';

/** The columns of an attempt. */
const columns: readonly Column<Delivery>[] = [
  member('id'),
  status(),
  {
    title: 'TRY',
    text: ({ attempt, max_attempts: most }) => `${String(attempt)}/${String(most)}`,
  },
  member('response_status', { title: 'CODE' }),
  member('duration_ms', { title: 'MS' }),
  member('event_type', { title: 'EVENT', free: true }),
  member('event_id'),
  time('created_at', 'BEGAN'),
];

export async function listDeliveries(options: DeliveryListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const query = { status: options.status };
  const { items, more } = await listByCursor<Delivery>(client, path, query, options.limit);
  print.rows(columns, items);
  if (more) print.note(`There are more: --limit ${options.limit * 2}.`);
}

export async function showDelivery(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  print.value((await runDocument(client, deliveryDocument, { id })).webhookDelivery);
}

export async function replayDelivery(id: string, options: KeyedOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { data } = await client.call<{ data: Delivery }>({
    method: 'POST',
    path: `${path}/${encodeURIComponent(id)}/replay`,
    idempotencyKey: options.idempotencyKey ?? randomUUID(),
  });
  print.value(data);
}
