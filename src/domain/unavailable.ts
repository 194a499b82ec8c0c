import { SemaphoreRejected, TransactionAborted } from './tx.js';

/**
 * SQLSTATE classes and codes that say "not now" rather than "never" (PostgreSQL, appendix A); 25006 is
 * what a former primary answers while another one takes over.
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

/** What pg says, without a code, when a connection ends or none can be had in time. */
const messagePattern =
  /^(?:Connection terminated|timeout (?:exceeded|expired)|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout|Driver not Connected)/i;

/** How deep `cause`, `driverError` and AggregateErrors are followed. */
const maxDepth = 5;

/**
 * Says whether `error` means that PostgreSQL cannot be reached or did not answer in time, or that
 * others were before it for too long, so that
 * the same request may succeed in a few seconds (503) instead of being our fault (500).
 */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > maxDepth) return false;
  if (error instanceof SemaphoreRejected || error instanceof TransactionAborted) return true;
  const { code, syscall, driverError } = error as Error & Record<string, unknown>;
  if (typeof code === 'string') {
    if (sqlStatePattern.test(code)) return true;
    // Only network calls: a file that is missing has a code of this kind, too.
    if (systemCodes.has(code) && (code !== 'ENOENT' || syscall === 'connect')) return true;
  }
  if (messagePattern.test(error.message)) return true;
  const nested = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return [error.cause, driverError, ...nested].some((other) => isUnavailable(other, depth + 1));
}
