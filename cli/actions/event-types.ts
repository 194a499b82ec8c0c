import type { Client } from '../api/client.js';
import { runDocument } from '../api/run-document.js';
import { type CommonOptions, openContext } from '../context.js';
import { Failure } from '../failure.js';
import { eventTypeDocument, type eventTypeQuery } from '../generated/documents.js';
import { nearest } from '../nearest.js';
import { member } from '../output/columns.js';
import { jsonText, printable } from '../output/printable.js';
import type { Printer } from '../output/printer.js';

type Json = Record<string, unknown>;
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
  const shown = example
    ? exampleOf(await readVersion(client, id, version), id)
    : await readSchema(client, id, version);
  print.line(jsonText(shown), shown);
}

/** One version of a type. */
type Version = eventTypeQuery['eventType']['versions'][number];

/**
 * Returns a version of a type, by default the lowest. Undefined for a type without a schema.
 * @throws Failure for a version that the type does not have
 */
export async function readVersion(
  client: Client,
  id: string,
  version: string | undefined,
): Promise<Version | undefined> {
  const { versions } = (await runDocument(client, eventTypeDocument, { id })).eventType;
  if (version === undefined) return versions[0];
  const found = versions.find((each) => each.version === version);
  if (found) return found;
  const known = versions.map((each) => printable(each.version)).join(', ');
  throw new Failure(`${id} has no version ${version}. It has: ${known === '' ? 'none' : known}.`);
}

/** Returns the example of a version. @throws Failure for a type without a schema */
export function exampleOf(version: Version | undefined, type: string): Json {
  if (version) return version.example;
  throw new Failure(`${type} has no schema, and so no example: any object is its data.`);
}

/** Returns the JSON Schema as it is served at `dataschema`. */
function readSchema(client: Client, type: string, version = 'v1'): Promise<Json> {
  const path = `/schemas/events/${encodeURIComponent(type)}/${encodeURIComponent(version)}`;
  return client.call<Json>({ path });
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
