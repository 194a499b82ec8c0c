import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Client, runDocument } from '../api/client.js';
import { onlyEndpoint } from '../api/lists.js';
import {
  type CommonOptions,
  didYouMean,
  integer,
  openContext,
  perSecond,
  withCommonOptions,
} from '../command.js';
import { exitCodes, Failure } from '../failure.js';
import { sendTestEventDocument } from '../generated/documents.js';
import { exampleOf, findEventType, readVersion } from './event-types.js';
import { readInput } from '../terminal.js';

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
  const fromFile = data === undefined ? undefined : parseObject(await readInput(data));
  if (set.length === 0) return fromFile;
  const described = await readVersion(client, type, version);
  return setMembers(fromFile ?? exampleOf(described, type), set, described?.schema ?? {});
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

function parseObject(json: string): Json {
  const value = readJson('--data', json);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Failure('--data must be a JSON object.', exitCodes.usage);
}

/**
 * Sets members of `data` by paths such as `totals.total_minor_units=5` or `line_items.0.quantity=2`. A
 * value that is not JSON is taken as text.
 * @throws Failure for a path that is neither in the data nor in the schema, with the nearest names
 */
export function setMembers(data: Json, sets: readonly string[], schema: Json): Json {
  const changed = structuredClone(data);
  for (const text of sets) {
    const equals = text.indexOf('=');
    if (equals < 1) {
      throw new Failure(`--set must have the form path=value, not ${text}.`, exitCodes.usage);
    }
    setOne(changed, text.slice(0, equals).split('.'), valueOf(text.slice(equals + 1)), schema);
  }
  return changed;
}

function setOne(data: Json, path: readonly string[], value: unknown, schema: Json): void {
  let target: Json = data;
  let rules: Json | undefined = schema;

  for (const [place, name] of path.entries()) {
    const known: string[] = [
      ...new Set([...Object.keys(target), ...Object.keys(propertiesOf(rules))]),
    ];
    const open = rules === undefined || propertiesOf(rules) === none;
    if (!Object.hasOwn(target, name) && !known.includes(name) && !open) {
      const unknown = path.slice(0, place + 1).join('.');
      const advice = didYouMean(name, known) ?? `Known here: ${known.join(', ')}.`;
      throw new Failure(`Unknown path: ${unknown}. ${advice}`, exitCodes.usage);
    }

    rules = propertiesOf(rules)[name] as Json | undefined;

    if (place === path.length - 1) define(target, name, value);
    else {
      const next = Object.hasOwn(target, name) ? target[name] : undefined;
      if (typeof next === 'object' && next !== null) target = next as Json;
      else {
        const child = {};
        define(target, name, child);
        target = child;
      }
    }
  }
}

const none: Json = {};

function propertiesOf(rules: Json | undefined): Json {
  return (rules?.['properties'] as Json | undefined) ?? none;
}

/** Sets a member; one named `__proto__` becomes data, too. */
function define(target: Json, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function valueOf(text: string): unknown {
  const value = readJson('--set', text);
  return value === undefined ? text : value;
}

/**
 * Parses JSON; undefined if the text is not JSON.
 * @throws Failure for a number that a double cannot represent, which the service refuses, too
 */
export function readJson(option: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }

  for (const [token] of text.matchAll(tokenPattern)) {
    if (token.startsWith('"') || keepsNumber(token)) continue;
    const number = token.slice(0, 50);
    const message = `${option} has the number ${number}, which a double cannot represent. Send it as a string.`;
    throw new Failure(message, exitCodes.usage);
  }

  return value;
}

/** Finds the strings and numbers of a valid JSON text. */
const tokenPattern = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Whether a double can represent a number: it may round a fraction, but must keep an integer, and
 * must not turn a number into 0 or infinity.
 */
function keepsNumber(literal: string): boolean {
  const value = Number(literal);
  const spelled = decimalOf(literal);
  if (!Number.isFinite(value)) return false;
  if (value === 0) return spelled.digits === '';
  if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(value);
  if (spelled.exponent < 0) return true;

  const rounded = decimalOf(String(value));
  return rounded.digits === spelled.digits && rounded.exponent === spelled.exponent;
}

/** Returns the digits of a number without outer zeros, and the power of ten of the last digit. */
function decimalOf(literal: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = literal.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;

  let start = 0;
  while (all[start] === '0') start += 1;

  let end = all.length;
  while (end > start && all[end - 1] === '0') end -= 1;

  return {
    digits: all.slice(start, end),
    exponent: Number(power) - fraction.length + all.length - end,
  };
}
