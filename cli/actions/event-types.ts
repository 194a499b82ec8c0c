import type { Client } from '../api/client.js';
import { type CommonOptions, openContext } from '../context.js';
import { Failure } from '../failure.js';
import { nearest } from '../nearest.js';
import { member } from '../output/columns.js';
import { jsonText, printable } from '../output/printable.js';
import type { Printer } from '../output/printer.js';

type Json = Record<string, unknown>;
type DataSchema = Json & { readonly examples?: readonly Json[] };
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

export interface EventTypeOptions extends CommonOptions {
  readonly schema?: boolean;
  readonly example?: boolean;
  readonly version?: string;
}

export async function showEventType(id: string, options: EventTypeOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { schema, example, version } = options;
  const type = await findEventType(client, id);
  if (!schema && !example) {
    print.value(type);
    return;
  }
  const found = await readSchema(client, id, version);
  const shown = example ? exampleOf(found, id) : found;
  print.line(jsonText(shown), shown);
}

/** Returns the JSON Schema of the data of a type. `version` defaults to `v1`. */
export async function readSchema(
  client: Client,
  type: string,
  version = 'v1',
): Promise<DataSchema> {
  const path = `/schemas/events/${encodeURIComponent(type)}/${encodeURIComponent(version)}`;
  return client.call<DataSchema>({ path });
}

/** Returns the example of a schema. @throws Failure for a schema without one */
export function exampleOf({ examples }: DataSchema, type: string): Json {
  const [example] = examples ?? [];
  if (example) return example;
  throw new Failure(`${type} has no public example.`);
}

/** Returns the type of that name. @throws Failure that names the nearest types */
export async function findEventType(client: Client, id: string): Promise<EventType> {
  const types = await catalogue(client);
  const found = types.find((type) => type.id === id);
  if (found) return found;
  throw new Failure(unknownType(id, types));
}

/** Says which of the types the catalogue lacks: a filter by them may match nothing. */
export async function noteUnknownTypes(
  client: Client,
  ids: readonly string[],
  print: Pick<Printer, 'note'>,
): Promise<void> {
  const types = await catalogue(client);
  for (const id of ids) {
    if (!types.some((type) => type.id === id)) print.note(unknownType(id, types));
  }
}

function unknownType(id: string, types: readonly EventType[]): string {
  const names = types.map((type) => type.id);
  const near = nearest(id, names).map(printable);
  const advice = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return `Unknown event type: ${printable(id)}.${advice}`;
}

async function catalogue(client: Client): Promise<EventType[]> {
  const path = '/v1/webhooks/event-types';
  return (await client.call<{ data: EventType[] }>({ path })).data;
}
