import { pino, type Logger, type LoggerOptions } from 'pino';
import type { Config } from './config.js';
import { LogOutput } from './log-output.js';

export type { Logger } from 'pino';

const warning = pino.levels.values['warn'] ?? 40;

/**
 * The log of one process: JSON lines on standard output, one wide line per request and per attempt.
 * Callers never pass secrets, bodies or credentials; the paths below are a second wall, and
 * {@link LogOutput} cuts the ids that open pages.
 */
export function createLogger(name: string, level: Config['logLevel']): Logger {
  const output = new LogOutput();
  const options: LoggerOptions = {
    name,
    level,
    hooks: {
      logMethod(args, method, severity) {
        method.apply(this, args);
        // What somebody may have to act on is out before anything else can happen.
        if (severity >= warning) output.flush();
      },
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
