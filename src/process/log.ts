import { pino, type Logger, type LoggerOptions } from 'pino';
import type { Config } from '../config/config.js';
import { isUnavailable } from '../domain/unavailable.js';
import { errorMessage } from './explain-error.js';
import { humanLine } from './human-line.js';
import { redactIds } from './redact-ids.js';
import { hasStartGate, onLogGate } from './start-gate.js';

export type { Logger } from 'pino';

const warning = pino.levels.values['warn'] ?? 40;
const writeFromBytes = 4_096;
const flushAfterMs = 100;
const outageIntervalMs = 10_000;
/** A warning waits no longer than this for the launcher, which may wait for what the warning says. */
const longestHeldMs = 10_000;

/**
 * Standard output that writes many lines in one call, at most 100 ms after `flushSoon` was called for
 * them. Writes are synchronous: no flushed line is lost when the process ends. The lines of a process that
 * the launcher starts wait until the launcher has printed its own.
 */
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

/**
 * Creates the log of one process: JSON on standard output, one wide line per request and per
 * attempt; with the format `human`, short lines for a person. Callers never pass secrets, bodies or credentials; `redact` is a second safeguard. The
 * log shortens ids that open pages in every line.
 */
export function createLogger(
  name: string,
  level: Config['logLevel'],
  format: Config['logFormat'] = 'json',
): Logger {
  const output = openOutput();
  const outages = new OutageWarnings();
  const shorten = format === 'human' ? (line: string) => humanLine(redactIds(line)) : redactIds;
  const options: LoggerOptions = {
    name,
    level,
    hooks: {
      logMethod(args, method, severity) {
        if (severity === warning && !outages.admit(args)) return;
        method.apply(this, args);
        // Warnings and errors are written at once, before anything else can happen. Not with
        // flushSync(): it waits for the disk, which may take milliseconds.
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
 * Keeps a log readable while PostgreSQL or the queue is away, when every connection and every poll
 * fails with the same warning. Each such message is logged at once, then at most every 10 seconds with
 * the number of warnings left out in between. One that names something, such as a notice, is never left
 * out. Stacks are: they only show a library.
 */
export class OutageWarnings {
  readonly #clock: () => number;
  /** By message. Messages are constants of the code, so there are few. */
  readonly #logged = new Map<unknown, { atMs: number; leftOut: number }>();

  /** @param clock milliseconds, monotonic. Defaults to `performance.now` */
  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /**
   * Decides about a warning, and shortens its error.
   * @param args of the call of the logger: an object with the error, and the message
   * @returns false if the warning is left out
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
    // Those of an earlier outage are no news.
    const isSame = last && now - last.atMs < 6 * outageIntervalMs;
    args[0] = isSame && last.leftOut > 0 ? { reason, left_out: last.leftOut } : { reason };
    return true;
  }
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
 * Keeps type, message, code, stack and causes of an error. Libraries add members that hold
 * parameters of statements, rows, and commands with passwords; these are dropped.
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
