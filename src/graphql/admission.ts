import type { IncomingMessage } from 'node:http';
import type { Authenticator as ApiAuthenticator } from '../api/authentication.js';
import { headerValues } from '../api/headers.js';
import { ApiError } from '../api/problem.js';
import { rateLimitExceeded, type RateLimits } from '../api/rate-limit.js';
import {
  type CredentialError,
  credentialDetail,
  isPortalSession,
  type Viewer,
} from '../domain/account/credentials.js';
import { parseBearer } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';

/** The rate limits of the public API, which also apply here. */
export type Limits = Pick<RateLimits, 'consume' | 'restore'>;

/** Finds the holder of a token, as on `/v1`. */
export type Authenticator = Pick<ApiAuthenticator, 'authenticate'>;

/**
 * Authenticates the holder of an internal credential or of a dashboard token.
 * @throws ApiError, and what `authenticator` throws
 */
export async function authenticate(
  request: IncomingMessage,
  { read, authenticator }: { readonly read: Read; readonly authenticator: Authenticator },
): Promise<Viewer> {
  const address = request.socket.remoteAddress ?? '';
  const bearer = parseBearer(headerValues(request, 'authorization'));
  if ('error' in bearer) {
    throw unauthorized(bearer.error === 'missing' ? 'missing_credential' : 'invalid_credential');
  }
  const viewer = await authenticator.authenticate(read, address, bearer.token);
  if (typeof viewer === 'string') throw unauthorized(viewer);
  if (viewer.kind === 'internal' || viewer.kind === 'dashboard') return viewer;
  throw unauthorized('credential_kind_not_accepted');
}

/**
 * Counts one request for the account of the caller. Internal tools act for many accounts and have no
 * limit.
 * @returns the rate-limit headers
 * @throws ApiError `rate_limit_exceeded`
 */
export async function count(
  viewer: Viewer,
  limits: Limits,
): Promise<Readonly<Record<string, string>>> {
  if (viewer.kind === 'internal') return {};
  const quota = await limits.consume('default', viewer.account, isPortalSession(viewer));
  if (quota.exceeded) throw rateLimitExceeded(quota);
  return quota.headers;
}

/**
 * Counts and runs `work`. As in {@link count}, internal tools are not limited. If a mail is not sent,
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

function unauthorized(code: CredentialError): ApiError {
  const accepted = 'This operation accepts internal credentials and dashboard tokens.';
  const detail = credentialDetail(code, accepted);
  const challenge = code === 'missing_credential' ? '' : ', error="invalid_token"';
  return new ApiError('unauthorized', detail, {
    errors: [{ code, detail }],
    headers: { 'WWW-Authenticate': `Bearer realm="internal"${challenge}` },
  });
}
