// The log of a process: JSON on standard output, one wide line per request and per attempt, or short lines for
// people.
//
// Callers never pass secrets, bodies or credentials; `redact` is a second safeguard. Ids that open pages are
// shortened in every line. While PostgreSQL or the queue is down, each message appears at most every 10 seconds. While
// events break the schema of their type, each type appears at most once a minute.
//
// Lines are written many at a time, warnings at once. Writes are synchronous, so no flushed line is lost when the
// process ends; `kill -9` loses at most 100 ms of lines below a warning. If the launcher started the process, lines
// wait until the launcher has printed its own.
import { pino, type Logger, type LoggerOptions } from 'pino';
import type { Config } from '../config/config.js';
import type { Issue } from '../domain/errors.js';
import { isUnavailable } from '../domain/transaction/unavailable.js';
import { errorMessage } from './explain-error.js';
import { hasStartGate, onLogGate } from './start-gate.js';

export type { Logger } from 'pino';

const warning = pino.levels.values['warn'] ?? 40;
const writeFromBytes = 4_096;
const flushAfterMs = 100;
const outageIntervalMs = 10_000;
/** How long a warning waits for the launcher, which may itself wait for what the warning reports. */
const longestHeldMs = 10_000;

/** Opens standard output. `flushSoon` writes all lines so far in one call, at most 100 ms later. */
function openOutput() {
  const output = pino.destination({ fd: 1, sync: true, minLength: writeFromBytes });
  let held: string[] | undefined;
  const release = () => {
    for (const line of held ?? []) output.write(line);
    held = undefined;
    output.flush();
  };

  if (hasStartGate()) {
    held = [];
    onLogGate(release);
  }

  process.once('exit', () => {
    release();
    output.flushSync();
  });

  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    output.flush();
  };

  // Not with pino's periodicFlush: it wakes an idle process ten times a second, to write nothing (ADR 0060).
  const flushSoon = () => void (timer ??= setTimeout(flush, flushAfterMs).unref());

  let warned: NodeJS.Timeout | undefined;
  return {
    flushSoon,
    write: (line: string) => void (held ? held.push(line) : output.write(line)),
    flushWarning() {
      if (held) warned ??= setTimeout(release, longestHeldMs).unref();
      else output.flush();
    },
  };
}

/** Creates the log of one process; the format `human` means short lines for people. */
export function createLogger(
  name: string,
  level: Config['logLevel'],
  format: Config['logFormat'] = 'json',
): Logger {
  const output = openOutput();
  const outages = new OutageWarnings();
  const shorten = format === 'human' ? (line: string) => prettyLogLine(redactIds(line)) : redactIds;
  const options: LoggerOptions = {
    name,
    level,
    hooks: {
      logMethod(args, method, severity) {
        if (severity === warning && !outages.admit(args)) return;
        method.apply(this, args);
        // Warnings and errors are written immediately. Not with flushSync(), which waits for the disk
        // and may take milliseconds.
        if (severity >= warning) output.flushWarning();
      },
      streamWrite: (line) => {
        output.flushSoon();
        return shorten(line);
      },
    },
    base: { process: name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      // Top level only: lines are flat, and wildcards would cost more than the rest of a line.
      paths: ['authorization', 'token', 'signing_secret', 'signingSecret', 'secret'],
      censor: '[secret]',
    },
  };
  return pino(options, output);
}

/**
 * Keeps the log readable while PostgreSQL or the queue is unavailable and every connection and poll fails
 * with the same warning. Each such message is logged immediately, and then at most every 10 seconds with the
 * number of warnings left out. A warning that names something, such as a notice, is always logged. Stacks
 * are left out, because they only show library code.
 */
export class OutageWarnings {
  readonly #clock: () => number;
  /** Entries by message. Messages are constants in the code, so there are few. */
  readonly #logged = new Map<unknown, { atMs: number; leftOut: number }>();

  /** @param clock milliseconds, monotonic. Defaults to `performance.now` */
  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /**
   * Decides whether to log a warning, and shortens its error.
   * @param args the arguments of the logger: an object with the error, and the message
   * @returns false to leave the warning out
   */
  admit(args: unknown[]): boolean {
    const [members, message] = args as [{ err?: unknown } | string, string?];
    if (typeof members === 'string' || !isUnavailable(members.err)) return true;

    const { err, ...named } = members;
    const reason = errorMessage(err);

    if (Object.keys(named).length > 0) {
      args[0] = { ...named, reason };
      return true;
    }

    const now = this.#clock();
    const last = this.#logged.get(message);
    if (last && now - last.atMs < outageIntervalMs) {
      last.leftOut += 1;
      return false;
    }

    this.#logged.set(message, { atMs: now, leftOut: 0 });

    // The warnings of an earlier outage do not count.
    const isSame = last && now - last.atMs < 6 * outageIntervalMs;
    args[0] = isSame && last.leftOut > 0 ? { reason, left_out: last.leftOut } : { reason };

    return true;
  }
}

const mismatchIntervalMs = 60_000;
/** At most this many event types are remembered, more than a catalogue has. */
const maxMismatchedTypes = 1_000;
const maxLoggedPaths = 5;

/**
 * Returns a function that logs events whose data breaks a schema that only warns. It logs each event type at most once
 * a minute, with the number of events since the last line of that type.
 */
export function schemaMismatchLogger(
  log: Pick<Logger, 'warn'>,
): (type: string, issues: readonly Issue[]) => void {
  const types = new Map<string, { loggedAt: number; events: number }>();

  return (type, issues) => {
    const now = performance.now();
    const entry = types.get(type) ?? { loggedAt: -Infinity, events: 0 };
    entry.events += 1;
    if (types.size < maxMismatchedTypes) types.set(type, entry);
    if (now - entry.loggedAt < mismatchIntervalMs) return;

    const paths = issues.slice(0, maxLoggedPaths).map(({ param, detail }) => `${param}: ${detail}`);
    log.warn({ event_type: type, events: entry.events, paths }, 'data of events breaks its schema');
    entry.loggedAt = now;
    entry.events = 0;
  };
}

/** An error in a log line. */
interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
  readonly cause: DescribedError | undefined;
}

const maxCauses = 3;

/**
 * Keeps type, message, code, stack and causes of an error. Drops the members that libraries add, which
 * contain parameters of statements, rows, and commands with passwords.
 */
export function describeError(error: unknown, depth = 0): DescribedError | undefined {
  if (error === undefined) return undefined;

  if (!(error instanceof Error)) {
    const what = typeof error === 'string' ? error : typeof error;
    return describeError(new Error(`thrown: ${what}`), depth);
  }

  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    message: error.message,
    code: typeof code === 'string' ? code : undefined,
    stack: error.stack,
    cause: depth < maxCauses ? describeError(error.cause, depth + 1) : undefined,
  };
}

/** Members that the format `human` leaves out. */
const hidden = new Set([
  'level',
  'time',
  'name',
  'process',
  'pid',
  'msg',
  'err',
  'settings',
  'account',
  'credential',
  'client_request_id',
  'operation',
]);

/** Members that are shown without their name. */
const bare = new Set(['method', 'path', 'status', 'event_type', 'outcome']);

const labels: Readonly<Record<number, string>> = { 40: 'WARN ', 50: 'ERROR ', 60: 'FATAL ' };

/** Control characters except the line feed, and those that reorder or hide text. */
const unprintable = /(?!\n)[\p{Cc}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

interface LoggedError {
  readonly type?: string;
  readonly message?: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

interface LogLine extends Readonly<Record<string, unknown>> {
  readonly time?: string;
  readonly process?: string;
  readonly level?: number;
  readonly msg?: string;
  readonly err?: LoggedError;
}

/**
 * Turns one JSON line of the log into lines for people: local time, process, message, and the important
 * members; an error and its causes follow on separate lines. No text of a client can control the terminal.
 * Text that is not JSON is returned unchanged.
 */
export function prettyLogLine(json: string): string {
  let line: LogLine;
  try {
    line = JSON.parse(json) as LogLine;
  } catch {
    return json;
  }
  const { time = '', process: name = '', level = 30, msg = '', err } = line;
  const words = Object.entries(line).flatMap(([member, value]) => describe(member, value));
  const head = [`${clockOf(time)} ${name.padEnd(6)} ${labels[level] ?? ''}${msg}`, ...words];
  return `${[oneLine(head.join(' ')), ...(err ? explain(err) : [])].join('\n')}\n`;
}

function clockOf(time: string): string {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
}

function describe(member: string, value: unknown): string[] {
  if (hidden.has(member) || value === null || value === undefined) return [];
  if (member === 'duration_ms') return [`${JSON.stringify(value)} ms`];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [bare.has(member) ? text : `${member}=${text}`];
}

function explain({ type, message, code, stack, cause }: LoggedError): string[] {
  const title = `${type ?? 'Error'}: ${message ?? ''}${code === undefined ? '' : ` (${code})`}`;
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [
    ...title.split('\n').map((part) => `  ${printable(part)}`),
    ...frames.map((frame) => `      ${printable(frame.trim())}`),
    ...(cause ? ['  caused by:', ...explain(cause)] : []),
  ];
}

function oneLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n');
}

function printable(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Ids of checkouts and offers, whose pages anyone with the id can open. The random part is removed; prefix
 * and time stay, so that an operator can recognise an id.
 */
const idPattern = /((?:chk|off)_[0-9A-Za-z]{8})[0-9A-Za-z]+/g;

/** Shortens the ids that open pages. */
export function redactIds(text: string): string {
  return text.includes('chk_') || text.includes('off_') ? text.replace(idPattern, '$1…') : text;
}

/** Shortens these ids in the path of a request, also if the client percent-encoded them. */
export function redactPath(path: string): string {
  return redactIds(path.includes('%') ? decodePath(path) : path);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A path that cannot be decoded contains no valid id.
    return path;
  }
}
