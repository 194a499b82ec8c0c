import type { IncomingMessage } from 'node:http';
import { type CredentialFault, credentialDetail } from '../domain/account/credential-refusal.js';
import type { AuthFailure, Viewer } from '../domain/account/credentials.js';
import { bearerOf } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';
import type { Authenticator } from './authenticator.js';
import type { Arrival } from './call.js';
import { headerValues } from './header-values.js';
import { Refused } from './problem.js';

const realm = 'Bearer realm="api"';

/** What {@link viewerOf} needs of the process. */
interface World {
  readonly read: Read;
  readonly authenticator: Authenticator;
}

/**
 * Who sent the request (H86, H87, H90, H95).
 * @param accepted the kinds of credential that the operation takes
 * @throws Refused unauthorized, rate_limit_exceeded
 */
export async function viewerOf(
  world: World,
  { request, address }: Pick<Arrival, 'request' | 'address'>,
  accepted: readonly string[],
): Promise<Viewer> {
  const token = bearerToken(request);
  return acceptedOf(await world.authenticator.authenticate(world.read, address, token), accepted);
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
