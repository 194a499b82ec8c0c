import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../api/client.js';
import { onlyEndpoint } from '../api/only-endpoint.js';
import { runDocument } from '../api/run-document.js';
import { type CommonOptions, openContext } from '../context.js';
import { exitCodes, Failure } from '../failure.js';
import { sendTestEventDocument } from '../generated/documents.js';
import { readJson, setMembers } from '../trigger-data.js';
import { exampleOf, findEventType, readVersion } from './event-types.js';

export interface TriggerOptions extends CommonOptions {
  /** False for `--no-endpoint`. */
  readonly endpoint?: string | false;
  readonly data?: string;
  readonly set: string[];
  readonly version?: string;
  readonly count: number;
  readonly rate: number;
}

type Json = Record<string, unknown>;

/** Sends test events to one endpoint, or to the stream only. */
export async function trigger(type: string, options: TriggerOptions): Promise<void> {
  const { client, print } = openContext(options);
  await findEventType(client, type);
  const endpoint = await endpointOf(client, options);
  const data = await dataOf(client, type, options);
  const input = { endpoint, type, version: options.version ?? null, data: data ?? null };
  const begun = performance.now();
  for (let sent = 0; sent < options.count; sent += 1) {
    const due = begun + (sent * 1_000) / options.rate;
    await wait(Math.max(0, due - performance.now()));
    const { sendTestEvent } = await runDocument(client, sendTestEventDocument, { input });
    print.line(`${sendTestEvent.id}  ${type}  → ${endpoint ?? 'listen'}`, {
      ...sendTestEvent,
      type,
      endpoint,
    });
  }
  if (endpoint === null) print.note('No endpoint gets these events: see them with listen.');
}

async function dataOf(
  client: Client,
  type: string,
  { data, set, version }: TriggerOptions,
): Promise<Json | undefined> {
  const own = data === undefined ? undefined : parse(await read(data));
  if (set.length === 0) return own;
  const found = await readVersion(client, type, version);
  return setMembers(own ?? exampleOf(found, type), set, found?.schema ?? {});
}

/** The endpoint of the option, else the only active one; null for the stream only. */
async function endpointOf(
  client: Client,
  { endpoint }: Pick<TriggerOptions, 'endpoint'>,
): Promise<string | null> {
  if (endpoint !== undefined) return endpoint === false ? null : endpoint;
  const advice = 'give --endpoint, or --no-endpoint for listen only';
  return (await onlyEndpoint(client, 'active', advice)) ?? null;
}

async function read(file: string): Promise<string> {
  return file === '-' ? text(process.stdin) : readFileSync(file, 'utf8');
}

function parse(json: string): Json {
  const value = readJson('--data', json);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Failure('--data must be a JSON object.', exitCodes.usage);
}
