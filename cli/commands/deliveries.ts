import { type Command, Option } from 'commander';
import { runDocument } from '../api/client.js';
import { listByDocument, noteMore } from '../api/lists.js';
import {
  addSubcommand,
  type CommonOptions,
  type KeyedOptions,
  openContext,
  timestampOf,
  withIdempotencyKey,
  withLimit,
} from '../command.js';
import {
  deliveriesDocument,
  type deliveriesQuery,
  deliveryDocument,
  viewerDocument,
} from '../generated/documents.js';
import { snakeNames } from '../output/printer.js';
import { type Column, member, status, time } from '../output/table.js';

interface ListOptions extends CommonOptions {
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

const exampleId = 'whd_0VbeRhVltTGzdGZVPlpFwXFe';

export function defineDeliveries(deliveries: Command): void {
  withLimit(
    addSubcommand(deliveries, 'list', 'Lists attempts, newest first.', [
      'deliveries list',
      'deliveries list --status failed --limit 100',
      'deliveries list --endpoint whs_0VbeRhMqhfG4f350f6gHZ1hz --since 2h --no-test',
    ]),
  )
    .addOption(
      new Option('--status <status>', 'only attempts with this status').choices([
        'success',
        'failed',
        'abandoned',
      ]),
    )
    .option('--endpoint <id>', 'only attempts to this endpoint')
    .option('--type <type>', 'only events of this type')
    .option('--event <id>', 'only attempts of this event')
    .option('--since <time>', 'started at or after: 10m, 2h, 7d, or an RFC 3339 time')
    .option('--until <time>', 'started before: 10m, 2h, 7d, or an RFC 3339 time')
    .option('--test', 'only test deliveries')
    .option('--no-test', 'no test deliveries')
    .option('--replayed', 'only replays')
    .option('--no-replayed', 'no replays')
    .action((options: ListOptions) => listDeliveries(options));

  addSubcommand(deliveries, 'show <id>', 'Shows one attempt and why it failed.', [
    `deliveries show ${exampleId}`,
  ]).action((id: string, options: CommonOptions) => showDelivery(id, options));

  withIdempotencyKey(
    addSubcommand(
      deliveries,
      'replay <id>',
      'Sends the event of an attempt again, waits for the first attempt and shows it.',
      [`deliveries replay ${exampleId}`],
    ),
  ).action((id: string, options: KeyedOptions) => replayDelivery(id, options));
}

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

async function listDeliveries(options: ListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const filter = {
    status: options.status ?? null,
    endpoint: options.endpoint ?? null,
    type: options.type ?? null,
    event: options.event ?? null,
    since: timestampOf(options.since),
    until: timestampOf(options.until),
    test: options.test ?? null,
    replayed: options.replayed ?? null,
  };

  const { items, more } = await listByDocument<Delivery>(
    async (page) =>
      (await runDocument(client, deliveriesDocument, { ...filter, ...page })).webhookDeliveries,
    options.limit,
  );

  print.rows(columns, items, snakeNames);
  if (more) noteMore(print, options.limit);
}

async function showDelivery(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { webhookDelivery } = await runDocument(client, deliveryDocument, { id });
  print.value(snakeNames(webhookDelivery));

  const { responseHeaders, responseBody } = webhookDelivery.evidence ?? {};
  if (!responseHeaders || responseBody) return;
  const { viewer } = await runDocument(client, viewerDocument, {});
  if (viewer.permissions.orders === 'none') {
    print.note('This key may not read orders, so the response body is not shown.');
  }
}

async function replayDelivery(id: string, options: KeyedOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { data } = await client.request('POST', '/v1/webhooks/deliveries/{delivery_id}/replay', {
    path: { delivery_id: id },
    idempotencyKey: options.idempotencyKey,
  });
  print.value(data);
}
