import { pino, type Logger } from 'pino';
import type { Config } from './config.js';

export type { Logger } from 'pino';

/**
 * The log of one process: JSON lines on standard output, one wide line per request and per attempt.
 * Callers never pass secrets, bodies or credentials; the paths below are a second wall.
 */
export function createLogger(name: string, level: Config['logLevel']): Logger {
  return pino({
    name,
    level,
    base: { process: name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      // Top level only: lines are flat, and wildcards cost more than everything else in a line.
      paths: ['authorization', 'token', 'signing_secret', 'signingSecret', 'secret'],
      censor: '[secret]',
    },
  });
}
