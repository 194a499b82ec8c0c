import { type Command, InvalidArgumentError } from 'commander';
import { type Client, createClient } from './api/client.js';
import { exitCodes, Failure } from './failure.js';
import { createPrinter, type Printer } from './output/printer.js';
import { findSession, type Session, type SessionOptions } from './profile.js';

/** The options of every command. */
export interface CommonOptions extends SessionOptions {
  readonly json?: boolean;
}

/** The options of a command that changes something. */
export interface KeyedOptions extends CommonOptions {
  readonly idempotencyKey?: string;
}

/** The session, client and printer of a command. */
interface Context {
  readonly session: Session;
  readonly client: Client;
  readonly print: Printer;
}

/** Opens the context of a command. @throws Failure 3 without a key */
export function openContext(options: CommonOptions): Context {
  const session = findSession(options);
  return { session, client: createClient(session), print: createPrinter(options.json ?? false) };
}

/** Adds the options that all commands have, and examples to the help. */
export function withCommonOptions(command: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  $ signalpost ${example}`);
  return command
    .option('--json', 'print one line of JSON per result')
    .option('--profile <name>', 'profile of signalpost login; SIGNALPOST_API_KEY takes precedence')
    .option('--url <url>', 'URL of the service')
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** Adds a command to a group, with common options and examples. */
export function addSubcommand(
  group: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  return withCommonOptions(group.command(usage).description(description), examples);
}

/** Adds `--limit` to a list. */
export function withLimit(command: Command): Command {
  return command.option('--limit <n>', 'print at most n items', integer(1, 10_000), 20);
}

/** Adds the option that makes repeating a command safe. */
export function withIdempotencyKey(command: Command): Command {
  return command.option(
    '--idempotency-key <key>',
    'repeating a command with the same key changes nothing; defaults to a new key',
  );
}

/** Parses an integer from `min` to `max`. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,15}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Must be an integer from ${min} to ${max}.`);
  };
}

/** Parses a rate from 1 to `max`, such as `2` or `2/s`. */
export function perSecond(max: number): (text: string) => number {
  return (text) => integer(1, max)(text.replace(/\/s$/, ''));
}

/** Parses a list of names separated by commas. */
export function commaList(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.every((item) => item !== '')) return items;
  throw new InvalidArgumentError('Must be names separated by commas.');
}

const units: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 };

/** Turns `10m` or an RFC 3339 time into RFC 3339; null for undefined. @throws Failure 2 */
export function timestampOf(text: string | undefined, now = Date.now()): string | null {
  if (text === undefined) return null;
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const at = count === undefined ? parseTime(text) : now - Number(count) * (units[unit] ?? 0);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new Failure(
    `Not a time: ${JSON.stringify(text)}. Use 10m, 2h, 7d or an RFC 3339 time such as 2026-11-21T09:00:00Z.`,
    exitCodes.usage,
  );
}

/** Returns NaN for a text that is not a time, and for a day that does not exist: JavaScript would guess. */
function parseTime(text: string): number {
  const [day = ''] = /^\d{4}-\d\d-\d\d(?!.*T24)/.exec(text) ?? [];
  const start = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(day)) return NaN;
  return Date.parse(text);
}

/** Suggests the names nearest to `wanted`, as a question; undefined if none is near. */
export function didYouMean(wanted: string, names: readonly string[]): string | undefined {
  const maxDistance = Math.max(2, Math.floor(wanted.length / 3));
  const near = names
    .map((name) => ({ name, distance: levenshtein(wanted, name) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** Returns the number of letters to insert, remove or replace. */
function levenshtein(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
