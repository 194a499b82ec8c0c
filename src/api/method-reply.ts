import { ApiError } from './problem.js';
import type { Reply } from './request-state.js';

/** The Allow header of a path that is only read. */
export const readOnly = 'GET, HEAD, OPTIONS';

/**
 * Answers OPTIONS, and refuses a method that the path does not have.
 * @param allow the methods of the path, as its Allow header lists them
 * @returns undefined for a method that the path has
 * @throws ApiError method_not_allowed
 */
export function methodReply(method: string, allow: string): Reply | undefined {
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow }, text: null };
  if (!allow.split(', ').includes(method)) throw methodNotAllowed(method, allow);
  return undefined;
}

/** The error for a method that is not among those of the path. */
export function methodNotAllowed(method: string, allow: string): ApiError {
  const headers = { Allow: allow };
  return new ApiError('method_not_allowed', `Method ${method} is not allowed here.`, { headers });
}
