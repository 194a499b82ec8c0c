import type { Command } from 'commander';
import { runDocument } from '../api/client.js';
import { listByDocument, noteMore } from '../api/lists.js';
import {
  addSubcommand,
  type CommonOptions,
  openContext,
  timestampOf,
  withLimit,
} from '../command.js';
import { eventDocument, eventsDocument, type eventsQuery } from '../generated/documents.js';
import { snakeNames } from '../output/printer.js';
import { member, time } from '../output/table.js';

interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly type?: string;
  readonly subject?: string;
  readonly since?: string;
  readonly until?: string;
}

type Event = eventsQuery['events']['data'][number];

export function defineEvents(events: Command): void {
  withLimit(
    addSubcommand(events, 'list', 'Lists events, newest first.', [
      'events list --type cart.order.completed --since 2h',
    ]),
  )
    .option('--type <type>', 'only events of this type')
    .option('--subject <subject>', 'only events with this subject')
    .option('--since <time>', '10m, 2h, 7d, or an RFC 3339 time')
    .option('--until <time>', '10m, 2h, 7d, or an RFC 3339 time')
    .action((options: ListOptions) => listEvents(options));

  addSubcommand(events, 'show <id>', 'Shows one event with its body and deliveries.', [
    'events show evt_0VbZiGIyik9E43S6tFR9sk7Z',
  ]).action((id: string, options: CommonOptions) => showEvent(id, options));
}

async function listEvents(options: ListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { type = null, subject = null, limit } = options;
  const range = { since: timestampOf(options.since), until: timestampOf(options.until) };

  const { items, more } = await listByDocument<Event>(
    async (page) =>
      (await runDocument(client, eventsDocument, { type, subject, ...range, ...page })).events,
    limit,
  );

  print.rows(
    [
      member('id'),
      member('type'),
      member('version', { title: 'VER', spare: 1 }),
      member('subject', { free: true, spare: 3 }),
      { title: 'TEST', spare: 2, text: ({ test }) => (test ? 'yes' : 'no') },
      time('occurredAt', 'TIME'),
    ],
    items,
    snakeNames,
  );

  if (more) noteMore(print, limit);
}

async function showEvent(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { event } = await runDocument(client, eventDocument, { id });

  if (print.json) {
    print.value(snakeNames(event));
    return;
  }

  const { deliveries, body, ...shown } = event;
  print.value(snakeNames(shown));

  // The body stays text: parsing it would change large numbers.
  print.line(`body        ${body}`, {});

  for (const { id: delivery, status, attempt, responseStatus, endpoint } of deliveries.data) {
    const code = responseStatus ?? 'no response';
    const target = endpoint?.id ?? 'deleted endpoint';
    print.line(`delivery    ${delivery}  ${status} (${code})  attempt ${attempt}  ${target}`, {});
  }
}
