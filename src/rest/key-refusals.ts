import { ApiError } from '../api/problem.js';

/** Refuses a key of another request. */
export function keyConflict(): ApiError {
  const detail = 'This Idempotency-Key was already used with a different request.';
  return new ApiError('idempotency_key_conflict', detail);
}

/** Refuses a key whose first request has not ended. */
export function keyInProgress(): ApiError {
  const detail = 'The first request with this Idempotency-Key is still running.';
  return new ApiError('idempotency_key_in_progress', detail, { retryAfterSeconds: 1 });
}
