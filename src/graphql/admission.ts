import { isPortalSession, type Viewer } from '../domain/account/credentials.js';
import { rateLimitExceeded, type RateLimits } from '../http/rate-limits.js';

/** The rate limits of the public API, which also apply here. */
export type Limits = Pick<RateLimits, 'consume' | 'restore'>;

/**
 * Counts and runs `work`. Internal tools act for many accounts and are not limited. If a mail is not sent,
 * it is not counted.
 * @throws ApiError `rate_limit_exceeded`, and what `work` throws
 */
export async function rateLimited<T>(
  viewer: Viewer,
  limits: Limits,
  policy: 'replay' | 'mail' | 'test',
  work: () => Promise<T>,
): Promise<T> {
  const { kind, account } = viewer;
  if (kind === 'internal') return work();
  const quota = await limits.consume(policy, account, isPortalSession(viewer));
  try {
    if (quota.exceeded) throw rateLimitExceeded(quota);
    return await work();
  } catch (error) {
    if (policy === 'mail') await limits.restore(policy, account, quota);
    throw error;
  }
}
