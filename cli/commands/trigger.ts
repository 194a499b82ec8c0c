import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Client, runDocument } from '../api/client.js';
import { onlyEndpoint } from '../api/lists.js';
import {
  type CommonOptions,
  integer,
  openContext,
  perSecond,
  withCommonOptions,
} from '../command.js';
import { exitCodes, Failure } from '../failure.js';
import { sendTestEventDocument } from '../generated/documents.js';
import { exampleOf, findEventType, readVersion } from './event-types.js';
import { readJson, setMembers } from './trigger-data.js';

interface TriggerOptions extends CommonOptions {
  /** False for `--no-endpoint`. */
  readonly endpoint?: string | false;
  readonly data?: string;
  readonly set: string[];
  readonly version?: string;
  readonly count: number;
  readonly rate: number;
}

export function defineTrigger(command: Command): void {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  withCommonOptions(command, [
    'trigger cart.order.completed',
    'trigger cart.order.completed --no-endpoint',
    'trigger cart.order.completed --set totals.total_minor_units=4200 --count 10 --rate 2',
    'trigger invoice.issued --endpoint whs_0VbeRhMqhfG4f350f6gHZ1hz --data invoice.json',
  ])
    .option(
      '--endpoint <id>',
      'defaults to the only active endpoint; without one, only listen gets the events',
    )
    .option('--no-endpoint', 'send to no endpoint, only to listen')
    .option('--data <file>', 'event data, a JSON object; - reads standard input')
    .option('--set <path=value>', 'change one member of the data; can be repeated', collect, [])
    .option('--version <version>', 'version of the type; defaults to the lowest')
    .option('--count <n>', 'number of events', integer(1, 10_000), 1)
    .option('--rate <n>', 'at most n events per second, also written 2/s', perSecond(100), 10)
    .action((type: string, options: TriggerOptions) => trigger(type, options));
}

type Json = Record<string, unknown>;

/** Sends test events to one endpoint, or only to the stream. */
async function trigger(type: string, options: TriggerOptions): Promise<void> {
  const { client, print } = openContext(options);
  await findEventType(client, type);

  const endpoint = await endpointOf(client, options);
  const data = await dataOf(client, type, options);
  const input = { endpoint, type, version: options.version ?? null, data: data ?? null };

  const startedAt = performance.now();
  for (let sent = 0; sent < options.count; sent += 1) {
    const due = startedAt + (sent * 1_000) / options.rate;
    await wait(Math.max(0, due - performance.now()));

    const { sendTestEvent } = await runDocument(client, sendTestEventDocument, { input });
    print.line(`${sendTestEvent.id}  ${type}  → ${endpoint ?? 'listen'}`, {
      ...sendTestEvent,
      type,
      endpoint,
    });
  }

  if (endpoint === null) print.note('No endpoint receives these events; listen prints them.');
}

async function dataOf(
  client: Client,
  type: string,
  { data, set, version }: TriggerOptions,
): Promise<Json | undefined> {
  const given = data === undefined ? undefined : parseObject(await read(data));
  if (set.length === 0) return given;
  const described = await readVersion(client, type, version);
  return setMembers(given ?? exampleOf(described, type), set, described?.schema ?? {});
}

/** Returns the endpoint of the option, else the only active one; null for only the stream. */
async function endpointOf(
  client: Client,
  { endpoint }: Pick<TriggerOptions, 'endpoint'>,
): Promise<string | null> {
  if (endpoint !== undefined) return endpoint === false ? null : endpoint;
  const advice = 'use --endpoint, or --no-endpoint for only listen';
  return (await onlyEndpoint(client, 'active', advice)) ?? null;
}

async function read(file: string): Promise<string> {
  return file === '-' ? text(process.stdin) : readFileSync(file, 'utf8');
}

function parseObject(json: string): Json {
  const value = readJson('--data', json);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Failure('--data must be a JSON object.', exitCodes.usage);
}
