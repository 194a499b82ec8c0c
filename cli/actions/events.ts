import { listByDocument } from '../api/pages.js';
import { runDocument } from '../api/run-document.js';
import { type CommonOptions, openContext } from '../context.js';
import { eventDocument, eventsDocument, type eventsQuery } from '../generated/documents.js';
import { instantOf } from '../instant.js';
import { member, time } from '../output/columns.js';
import { snakeNames } from '../output/snake-names.js';

export interface EventListOptions extends CommonOptions {
  readonly limit: number;
  readonly type?: string;
  readonly subject?: string;
  readonly since?: string;
  readonly until?: string;
}

type Event = eventsQuery['events']['data'][number];

export async function listEvents(options: EventListOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { type = null, subject = null, limit } = options;
  const range = { since: instantOf(options.since), until: instantOf(options.until) };
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
  if (more) print.note(`There are more: --limit ${limit * 2}.`);
}

export async function showEvent(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { event } = await runDocument(client, eventDocument, { id });
  if (print.json) {
    print.value(snakeNames(event));
    return;
  }
  const { deliveries, body, ...shown } = event;
  print.value(snakeNames(shown));
  // The body as text: parsed and written again, large numbers would change.
  print.line(`body        ${body}`, {});
  for (const { id: delivery, status, attempt, responseStatus, endpoint } of deliveries.data) {
    const code = responseStatus ?? 'no response';
    print.line(
      `delivery    ${delivery}  ${status} (${code})  attempt ${attempt}  ${endpoint?.id ?? 'deleted endpoint'}`,
      {},
    );
  }
}
