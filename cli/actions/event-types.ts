import type { Client } from '../api/client.js';
import { isUnknownDocument, runDocument } from '../api/run-document.js';
import { type CommonOptions, openContext } from '../context.js';
import { Failure } from '../failure.js';
import { eventTypeDocument } from '../generated/documents.js';
import { nearest } from '../nearest.js';
import { member } from '../output/columns.js';
import { jsonLines } from '../output/printable.js';
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
  print.lines(jsonLines(shown), shown);
}

/** One version of a type. */
interface Version {
  readonly version: string;
  readonly schema: Json;
  /** Undefined where a service of 2.0.0 does not show the example of an operator. */
  readonly example: Json | undefined;
}

/**
 * Returns a version of a type, by default the lowest. Undefined for a type without a schema.
 * @throws Failure for a version that the type does not have
 */
export async function readVersion(
  client: Client,
  id: string,
  version: string | undefined,
): Promise<Version | undefined> {
  const versions = await readVersions(client, id);
  if (versions === undefined) return versionAsServed(client, id, version);
  if (version === undefined) return versions[0];
  const found = versions.find((each) => each.version === version);
  if (found) return found;
  const known = versions.map((each) => each.version).join(', ');
  throw new Failure(`${id} has no version ${version}. It has: ${known === '' ? 'none' : known}.`);
}

/** Returns the versions of a type; undefined where a service of 2.0.0 cannot tell. */
async function readVersions(client: Client, id: string): Promise<readonly Version[] | undefined> {
  try {
    return (await runDocument(client, eventTypeDocument, { id })).eventType.versions;
  } catch (error) {
    if (isUnknownDocument(error)) return undefined;
    throw error;
  }
}

/** Reads a version from its schema, which has the example of a type that comes with the service. */
async function versionAsServed(client: Client, id: string, version = 'v1'): Promise<Version> {
  const schema = await readSchema(client, id, version);
  const [example] = (schema['examples'] ?? []) as readonly Json[];
  return { version, schema, example };
}

/** Returns the example of a version. @throws Failure for a version that has none */
export function exampleOf(version: Version | undefined, type: string): Json {
  if (!version) {
    throw new Failure(`${type} has no schema, and so no example: any object is its data.`);
  }
  if (version.example) return version.example;
  throw new Failure(`${type} has no public example at this service.`);
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
  const near = nearest(id, names);
  const advice = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return `Unknown event type: ${id}.${advice}`;
}

async function catalogue(client: Client): Promise<EventType[]> {
  const path = '/v1/webhooks/event-types';
  return (await client.call<{ data: EventType[] }>({ path })).data;
}
