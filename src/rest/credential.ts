import type { IncomingMessage } from 'node:http';
import { type CredentialFault, credentialDetail } from '../domain/account/credential-refusal.js';
import { authenticate, type AuthFailure, type Viewer } from '../domain/account/credentials.js';
import { bearerOf, hashToken } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';
import type { Arrival } from './call.js';
import { headerValues } from './header-values.js';
import { Refused } from './problem.js';
import type { RateLimits } from './rate-limit.js';

const realm = 'Bearer realm="api"';

/** What {@link viewerOf} needs of the process. */
interface World {
  readonly read: Read;
  readonly limits: Pick<RateLimits, 'admitToken' | 'trust' | 'blame'>;
}

/**
 * Who sent the request (H86, H87, H90); failures are counted for its address (H95).
 * @param accepted the kinds of credential that the operation takes
 * @throws Refused unauthorized, rate_limit_exceeded
 */
export async function viewerOf(
  world: World,
  { request, address }: Pick<Arrival, 'request' | 'address'>,
  accepted: readonly string[],
): Promise<Viewer> {
  try {
    const token = bearerToken(request);
    const hash = hashToken(token);
    await world.limits.admitToken(address, hash);
    const viewer = await authenticate(world.read, token, hash);
    if (typeof viewer !== 'string') world.limits.trust(hash);
    return acceptedOf(viewer, accepted);
  } catch (error) {
    if (error instanceof Refused && error.code === 'unauthorized') {
      await world.limits.blame(address);
    }
    throw error;
  }
}

function acceptedOf(viewer: Viewer | AuthFailure, accepted: readonly string[]): Viewer {
  if (typeof viewer !== 'string' && accepted.includes(viewer.kind)) return viewer;
  const fault = typeof viewer === 'string' ? viewer : 'credential_kind_not_accepted';
  const kinds = accepted.includes('dashboard')
    ? 'This operation accepts live API keys and dashboard tokens only.'
    : 'This operation accepts live API keys only.';
  throw unauthorized(fault, credentialDetail(fault, kinds));
}

function bearerToken(request: IncomingMessage): string {
  const bearer = bearerOf(headerValues(request, 'authorization'));
  if ('token' in bearer) return bearer.token;
  switch (bearer.fault) {
    case 'missing':
      throw unauthorized('missing_credential');
    case 'repeated':
      throw unauthorized('invalid_credential', 'The Authorization header must be sent once.');
    case 'malformed':
      throw unauthorized('invalid_credential');
  }
}

function unauthorized(code: CredentialFault, detail = credentialDetail(code, '')): Refused {
  const challenge = code === 'missing_credential' ? '' : ', error="invalid_token"';
  return new Refused('unauthorized', detail, {
    errors: [{ code, detail }],
    headers: { 'WWW-Authenticate': `${realm}${challenge}` },
  });
}
