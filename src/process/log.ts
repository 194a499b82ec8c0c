import { pino, type Logger, type LoggerOptions } from 'pino';
import type { Config } from '../config/config.js';
import { redactIds } from './redact-ids.js';

export type { Logger } from 'pino';

const warning = pino.levels.values['warn'] ?? 40;
const writeFromBytes = 4_096;
const flushEveryMs = 100;

/**
 * Standard output, many lines with one call, each after a tenth of a second at the latest. It writes
 * while the caller waits: nothing that was flushed is lost with the process.
 */
function openOutput() {
  const output = pino.destination({
    fd: 1,
    sync: true,
    minLength: writeFromBytes,
    periodicFlush: flushEveryMs,
  });
  process.once('exit', () => output.flushSync());
  return output;
}

/**
 * The log of one process: JSON lines on standard output, one wide line per request and per attempt.
 * Callers never pass secrets, bodies or credentials; the paths below are a second wall. Ids that open
 * pages are cut in every line, whoever wrote them there.
 */
export function createLogger(name: string, level: Config['logLevel']): Logger {
  const output = openOutput();
  const options: LoggerOptions = {
    name,
    level,
    hooks: {
      logMethod(args, method, severity) {
        method.apply(this, args);
        // What somebody may have to act on is out before anything else can happen. Not flushSync():
        // that waits for the disk, which may take milliseconds.
        if (severity >= warning) output.flush();
      },
      streamWrite: redactIds,
    },
    base: { process: name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      // Top level only: lines are flat, and wildcards cost more than everything else in a line.
      paths: ['authorization', 'token', 'signing_secret', 'signingSecret', 'secret'],
      censor: '[secret]',
    },
  };
  return pino(options, output);
}

/** What a log line tells of an error. */
interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
  readonly cause: DescribedError | undefined;
}

const maxCauses = 3;

/**
 * Names what went wrong and where, and nothing else: the other members that libraries give their
 * errors hold statements with their parameters, rows, and commands with passwords.
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
