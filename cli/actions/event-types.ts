import type { Client } from '../api/client.js';
import { type CommonOptions, openContext } from '../context.js';
import { Failure } from '../failure.js';
import { nearest } from '../nearest.js';
import { member } from '../output/columns.js';
import { printable } from '../output/printable.js';

type EventType = Readonly<Record<string, unknown>> & { readonly id: string };

export async function listEventTypes(options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  print.rows(
    [
      member('id', { title: 'TYPE' }),
      member('category'),
      {
        title: 'SENT',
        text: ({ sent }) => (sent === true ? 'yes' : 'no'),
      },
      {
        title: 'OFFERED',
        text: (type) => (type['accepts_new_subscriptions'] === false ? 'no' : 'yes'),
      },
      member('summary', { free: true }),
    ],
    await catalogue(client),
  );
}

export async function showEventType(id: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  print.value(await findEventType(client, id));
}

/** Returns the type of that name. @throws Failure that names the nearest types */
export async function findEventType(client: Client, id: string): Promise<EventType> {
  const types = await catalogue(client);
  const found = types.find((type) => type.id === id);
  if (found) return found;
  const near = nearest(
    id,
    types.map((type) => type.id),
  ).map(printable);
  throw new Failure(
    `Unknown event type: ${printable(id)}.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
  );
}

async function catalogue(client: Client): Promise<EventType[]> {
  const path = '/v1/webhooks/event-types';
  return (await client.call<{ data: EventType[] }>({ path })).data;
}
