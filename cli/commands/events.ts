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
import {
  eventAtEndpointDocument,
  type eventAtEndpointQuery,
  eventDocument,
  eventsDocument,
  type eventsQuery,
} from '../generated/documents.js';
import { snakeNames } from '../output/printer.js';
import { member, time } from '../output/table.js';

interface ListOptions extends CommonOptions {
  readonly limit: number;
  readonly type?: string;
  readonly subject?: string;
  readonly since?: string;
  readonly until?: string;
}

interface WhyOptions extends CommonOptions {
  readonly endpoint: string;
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

  addSubcommand(events, 'why <id>', 'Says what became of an event at an endpoint, and why.', [
    'events why evt_0VbZiGIyik9E43S6tFR9sk7Z --endpoint whs_0VbeRhMqhfG4f350f6gHZ1hz',
  ])
    .requiredOption('--endpoint <id>', 'the endpoint that the event should have reached')
    .action((id: string, options: WhyOptions) => explainEvent(id, options));
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

type Answer = eventAtEndpointQuery['eventAtEndpoint'];

async function explainEvent(id: string, options: WhyOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { eventAtEndpoint } = await runDocument(client, eventAtEndpointDocument, {
    event: id,
    endpoint: options.endpoint,
  });
  const lines = [sentenceOf(eventAtEndpoint), ...filterLines(eventAtEndpoint)];
  if (print.json) print.value(snakeNames(eventAtEndpoint));
  else for (const line of lines) print.line(line, {});
}

/** What became of the event, in one sentence. */
function sentenceOf({ state, at, attempts, nextAttempt, dueAt, ahead, filter }: Answer): string {
  const waits = `attempt ${nextAttempt ?? 1} is due at ${dueAt}, after ${ahead ?? 0} other deliveries of the endpoint`;
  switch (state) {
    case 'delivered':
      return `It did: attempt ${attempts} was accepted.`;
    case 'sending':
      return 'Not yet: a worker is sending it.';
    case 'due':
    case 'waiting':
      return `Not yet: ${waits}.`;
    case 'waiting_for_turn':
      return `Not yet: it waits for its turn, after ${ahead ?? 0} other deliveries of its subject.`;
    case 'dead_letter':
      return 'Workers failed repeatedly while they sent it: an operator must release it.';
    case 'given_up':
      return `It was sent ${attempts} times, and the endpoint accepted none of the attempts.`;
    case 'stream_only':
      return 'It is a test event for the stream only.';
    case 'other_endpoint':
      return 'It was published for another endpoint alone.';
    case 'created_later':
      return `The endpoint was created later, at ${at}.`;
    case 'subscribed_later':
      return `The endpoint subscribed to its type later, at ${at}.`;
    case 'not_subscribed':
      return 'The endpoint did not subscribe to its type.';
    case 'inactive':
      return `The endpoint was disabled then${at === null ? '' : `, until ${at}`}.`;
    case 'filtered':
      return `It does not match the filter of the endpoint: ${filter}`;
    case 'filter_changed':
      return `Cannot be known: the filter changed at ${at}, after the event, and the former one is not kept.`;
    case 'cancelled':
      return `Its delivery was cancelled before the first attempt, at ${at}: the endpoint was disabled, or unsubscribed from its type.`;
    case 'deleted':
      return `The endpoint was deleted at ${at}.`;
    case 'not_addressed':
      return 'Cannot be known: nothing that is kept says why it was not sent.';
  }
}

function filterLines({ state, filter, filterChangedAt, matches }: Answer): string[] {
  const changed =
    filterChangedAt !== null && state !== 'filter_changed'
      ? [`The filter changed after the event, at ${filterChangedAt}.`]
      : [];
  if (filter === null || state === 'filtered') return changed;
  return [
    ...changed,
    `The filter of today ${matches === true ? 'matches' : 'does not match'} it: ${filter}`,
  ];
}
