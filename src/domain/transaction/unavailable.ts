import { SemaphoreRejected, TransactionAborted } from './tx.js';

/**
 * SQLSTATE classes and codes of temporary errors (PostgreSQL, appendix A).
 * A former primary answers 25006 while another server takes over.
 */
const sqlStatePattern = /^(?:08|53|57P0|58)|^(?:57014|55P03|25P03|25006|40001|40P01)$/;

const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
]);

/** Messages without a code, from pg, when a connection ends or none is free in time. */
const messagePattern =
  /^(?:Connection terminated|timeout (?:exceeded|expired)|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout|Driver not Connected)/i;

/** Follows `cause`, `driverError` and AggregateErrors at most this many levels. */
const maxDepth = 5;

/**
 * Whether an error is temporary, so that the same request may succeed in a few seconds (503), and not an internal error
 * (500). There are three cases:
 * - PostgreSQL cannot be reached, or does not respond in time;
 * - the request waited too long for others;
 * - its caller has stopped waiting.
 */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false;
  if (error instanceof SemaphoreRejected || error instanceof TransactionAborted) return true;
  const { code, syscall, driverError } = error as Error & Record<string, unknown>;
  if (typeof code === 'string') {
    if (sqlStatePattern.test(code)) return true;
    // ENOENT only from a connection: a missing file has this code, too.
    if (systemCodes.has(code) && (code !== 'ENOENT' || syscall === 'connect')) return true;
  }
  if (messagePattern.test(error.message)) return true;
  const nested = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [error.cause, driverError, ...nested].some((other) => isUnavailable(other, depth + 1));
}

/**
 * Whether PostgreSQL rolled a transaction back because of another one: a serialization failure or a deadlock. It
 * stored nothing and may be repeated at once. An error of TypeORM has the code of the error that it wraps.
 */
export function isConflict(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === '40001' || code === '40P01';
}
