import type { IncomingMessage } from 'node:http';
import { authenticate, type AuthFailure, type Viewer } from '../domain/account/credentials.js';
import { bearerOf } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';
import type { Arrival } from './call.js';
import { headerValues } from './header-values.js';
import { Refused } from './problem.js';
import type { RateLimits } from './rate-limit.js';

const realm = 'Bearer realm="api"';

const details: Readonly<Record<AuthFailure, string>> = {
  invalid_credential: 'The bearer credential is not valid.',
  expired_credential: 'The bearer credential has expired.',
  revoked_credential: 'The bearer credential was revoked.',
  credential_kind_not_accepted: 'This operation does not accept a credential of this kind.',
};

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
    await world.limits.admitToken(address, token);
    const viewer = await authenticate(world.read, token);
    if (typeof viewer !== 'string') world.limits.trust(token);
    return acceptedOf(viewer, accepted);
  } catch (error) {
    if (error instanceof Refused && error.code === 'unauthorized') {
      await world.limits.blame(address);
    }
    throw error;
  }
}

function acceptedOf(viewer: Viewer | AuthFailure, accepted: readonly string[]): Viewer {
  if (typeof viewer === 'string') throw unauthorized(viewer, details[viewer]);
  if (accepted.includes(viewer.kind)) return viewer;
  const detail = accepted.includes('dashboard')
    ? 'This operation accepts live API keys and dashboard tokens only.'
    : 'This operation accepts live API keys only.';
  throw unauthorized('credential_kind_not_accepted', detail);
}

function bearerToken(request: IncomingMessage): string {
  const bearer = bearerOf(headerValues(request, 'authorization'));
  if ('token' in bearer) return bearer.token;
  switch (bearer.fault) {
    case 'missing':
      throw missing();
    case 'repeated':
      throw unauthorized('invalid_credential', 'The Authorization header must be sent once.');
    case 'malformed':
      throw unauthorized('invalid_credential', details.invalid_credential);
  }
}

function missing(): Refused {
  const code = 'missing_credential';
  const detail = 'The request has no bearer credential.';
  return new Refused('unauthorized', detail, {
    errors: [{ code, detail }],
    headers: { 'WWW-Authenticate': realm },
  });
}

function unauthorized(code: AuthFailure, detail: string): Refused {
  return new Refused('unauthorized', detail, {
    errors: [{ code, detail }],
    headers: { 'WWW-Authenticate': `${realm}, error="invalid_token"` },
  });
}
