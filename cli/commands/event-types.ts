import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  type Client,
  isUnknownDocument,
  Refusal,
  runDocument,
  runInternal,
} from '../api/client.js';
import { addSubcommand, type CommonOptions, didYouMean, openContext } from '../command.js';
import { exitCodes, Failure } from '../failure.js';
import { eventTypeDocument } from '../generated/documents.js';
import type { Printer } from '../output/printer.js';
import { member } from '../output/table.js';
import { jsonLines } from '../output/text.js';

interface ShowOptions extends CommonOptions {
  readonly schema?: boolean;
  readonly example?: boolean;
  readonly version?: string;
}

interface ApplyOptions extends CommonOptions {
  readonly dryRun?: boolean;
}

export function defineEventTypes(types: Command): void {
  addSubcommand(types, 'list', 'Lists the event types of the catalogue.', [
    'event-types list',
  ]).action((options: CommonOptions) => listEventTypes(options));

  addSubcommand(
    types,
    'show <type>',
    'Shows one event type, its example, or the schema of its data.',
    [
      'event-types show cart.order.completed',
      'event-types show cart.order.completed --example > order.json',
    ],
  )
    .option('--example', 'print example data, which trigger --data accepts')
    .option('--schema', 'print the JSON Schema of the data')
    .option('--version <version>', 'version of the type; defaults to v1')
    .action((type: string, options: ShowOptions) => showEventType(type, options));

  addSubcommand(
    types,
    'diff <file>',
    'Compares the catalogue with a file; exits with 1 if they differ. Needs a profile for the internal listener.',
    ['event-types diff catalogue.yaml --profile operator'],
  ).action((path: string, options: CommonOptions) => diffCatalogue(path, options));

  addSubcommand(
    types,
    'apply <file>',
    'Creates and changes event types as a file says, all or none; removes no type. Needs a profile for the internal listener.',
    ['event-types apply catalogue.yaml --dry-run --profile operator'],
  )
    .option('--dry-run', 'check the file and show the changes without making them')
    .action((path: string, options: ApplyOptions) => applyCatalogueFile(path, options));
}

type Json = Record<string, unknown>;
type EventType = Readonly<Record<string, unknown>> & { readonly id: string };

async function listEventTypes(options: CommonOptions): Promise<void> {
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
    await readCatalogue(client),
  );
}

async function showEventType(id: string, options: ShowOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { schema, example, version } = options;
  const type = await findEventType(client, id);
  if (!schema && !example) {
    print.value(type);
    return;
  }

  const json = example
    ? exampleOf(await readVersion(client, id, version), id)
    : await readSchema(client, id, version);
  print.lines(jsonLines(json), json);
}

/** One version of a type. */
interface Version {
  readonly version: string;
  readonly schema: Json;
  /** Undefined if a service of 2.0.0 does not show the example of an operator. */
  readonly example: Json | undefined;
}

/**
 * Returns a version of a type, by default the lowest; undefined for a type without a schema.
 * @throws Failure if the type does not have the version
 */
export async function readVersion(
  client: Client,
  id: string,
  version: string | undefined,
): Promise<Version | undefined> {
  const versions = await readVersions(client, id);
  if (versions === undefined) return versionFromSchema(client, id, version);
  if (version === undefined) return versions[0];

  const requested = versions.find((candidate) => candidate.version === version);
  if (requested) return requested;
  const names = versions.map((candidate) => candidate.version).join(', ') || 'none';
  throw new Failure(`${id} has no version ${version}. Its versions: ${names}.`);
}

/** Returns the versions of a type; undefined if the service is of 2.0.0, which cannot list them. */
async function readVersions(client: Client, id: string): Promise<readonly Version[] | undefined> {
  try {
    return (await runDocument(client, eventTypeDocument, { id })).eventType.versions;
  } catch (error) {
    if (isUnknownDocument(error)) return undefined;
    throw error;
  }
}

/** Reads a version from its schema, which contains the example of a type that comes with the service. */
async function versionFromSchema(client: Client, id: string, version = 'v1'): Promise<Version> {
  const schema = await readSchema(client, id, version);
  const [example] = (schema['examples'] ?? []) as readonly Json[];
  return { version, schema, example };
}

/** Returns the example of a version. @throws Failure if it has none */
export function exampleOf(version: Version | undefined, type: string): Json {
  if (!version) {
    throw new Failure(`${type} has no schema and so no example: its data is any JSON object.`);
  }
  if (version.example) return version.example;
  throw new Failure(`${type} has no public example at this service.`);
}

/** Returns the JSON Schema as it is served at `dataschema`. */
function readSchema(client: Client, type: string, version = 'v1'): Promise<Json> {
  const path = `/schemas/events/${encodeURIComponent(type)}/${encodeURIComponent(version)}`;
  return client.call<Json>({ path });
}

/** Returns the type with that name. @throws Failure that suggests the nearest types */
export async function findEventType(client: Client, id: string): Promise<EventType> {
  const types = await readCatalogue(client);
  const type = types.find((candidate) => candidate.id === id);
  if (type) return type;
  throw new Failure(unknownType(id, types));
}

/** Warns of types that the catalogue does not have: a filter by them may match nothing. */
export async function noteUnknownTypes(
  client: Client,
  ids: readonly string[],
  print: Pick<Printer, 'note'>,
): Promise<void> {
  const types = await readCatalogue(client);
  for (const id of ids) {
    if (!types.some((type) => type.id === id)) print.note(unknownType(id, types));
  }
}

function unknownType(id: string, types: readonly EventType[]): string {
  const names = types.map((type) => type.id);
  return [`Unknown event type: ${id}.`, didYouMean(id, names) ?? []].flat().join(' ');
}

async function readCatalogue(client: Client): Promise<EventType[]> {
  return (await client.request('GET', '/v1/webhooks/event-types')).data;
}

/** The differences between the catalogue and a file. */
interface CatalogueChanges {
  readonly changed: readonly { readonly id: string; readonly changes: readonly string[] }[];
  /** Types that the file does not have; they stay. */
  readonly missing: readonly string[];
}

/** Prints how the catalogue differs from a file. @throws Failure 1 if it does */
async function diffCatalogue(path: string, options: CommonOptions): Promise<void> {
  const { client, print } = openContext(options);
  const changes = await applyCatalogue(client, await textOf(path), true);
  const lines = [
    ...linesOf(changes),
    ...changes.missing.map((id) => `${id}: not in the file; stays in the catalogue`),
  ];
  print.lines(lines.length > 0 ? lines : ['No differences.'], changes);
  if (lines.length > 0) process.exitCode = exitCodes.refused;
}

/** Applies a file to the catalogue, all of it or nothing, and prints the changes. */
async function applyCatalogueFile(path: string, options: ApplyOptions): Promise<void> {
  const { client, print } = openContext(options);
  const { dryRun = false } = options;
  const changes = await applyCatalogue(client, await textOf(path), dryRun);
  const lines = linesOf(changes);
  print.lines(lines.length > 0 ? lines : ['No changes.'], {
    changed: changes.changed,
    dry_run: dryRun,
  });
}

// Sent as text: the internal listener takes any operation, and the public one has none for operators.
const applyQuery = `mutation applyCatalogue($file: String!, $dryRun: Boolean!) {
  applyCatalogue(file: $file, dryRun: $dryRun) { changed { id changes } missing }
}`;

/** @throws Failure unless the URL is that of an internal listener */
async function applyCatalogue(
  client: Client,
  file: string,
  dryRun: boolean,
): Promise<CatalogueChanges> {
  try {
    const { applyCatalogue: changes } = await runInternal<{ applyCatalogue: CatalogueChanges }>(
      client,
      applyQuery,
      { file, dryRun },
    );
    return changes;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    const text = `The catalogue cannot be changed at ${client.url}: use the URL of the internal listener.`;
    throw new Failure(text, exitCodes.refused, { cause: error });
  }
}

function linesOf({ changed }: CatalogueChanges): string[] {
  return changed.flatMap(({ id, changes }) => changes.map((change) => `${id}: ${change}`));
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`Cannot read ${path}: ${reason}`, exitCodes.usage, { cause: error });
  });
}
