import { SemaphoreRejected, TransactionAborted } from './tx.js';

/**
 * SQLSTATE classes and codes that say "not now" rather than "never" (PostgreSQL, appendix A).
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

/** Messages that pg sends without a code when a connection ends, or when it gets none in time. */
const messagePattern =
  /^(?:Connection terminated|timeout (?:exceeded|expired)|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout|Driver not Connected)/i;

/** Follows `cause`, `driverError` and AggregateErrors at most this many levels. */
const maxDepth = 5;

/**
 * Says whether the same request may succeed in a few seconds (503) rather than being an internal error (500).
 * That is so in three cases:
 * - PostgreSQL cannot be reached, or does not answer in time;
 * - the request waited too long behind others;
 * - its caller stopped waiting.
 */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false;
  if (error instanceof SemaphoreRejected || error instanceof TransactionAborted) return true;
  const { code, syscall, driverError } = error as Error & Record<string, unknown>;
  if (typeof code === 'string') {
    if (sqlStatePattern.test(code)) return true;
    // Only for network calls: a missing file has the code ENOENT, too.
    if (systemCodes.has(code) && (code !== 'ENOENT' || syscall === 'connect')) return true;
  }
  if (messagePattern.test(error.message)) return true;
  const nested = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [error.cause, driverError, ...nested].some((other) => isUnavailable(other, depth + 1));
}
