import type { IncomingMessage } from 'node:http';
import {
  type CredentialError,
  credentialDetail,
  type AuthFailure,
  type Viewer,
} from '../domain/account/credentials.js';
import { parseBearer } from '../domain/account/token.js';
import type { Read } from '../domain/tx.js';
import type { Authenticator } from './authenticator.js';
import { headerValues } from './header-values.js';
import { ApiError } from './problem.js';

const realm = 'Bearer realm="api"';

interface Dependencies {
  readonly read: Read;
  readonly authenticator: Authenticator;
}

/** A request and the address of its client, as the trusted proxies report it. */
interface AddressedRequest {
  readonly request: IncomingMessage;
  readonly address: string;
}

/**
 * Authenticates a request.
 * @param accepted the kinds of credential that the operation accepts
 * @throws ApiError unauthorized, rate_limit_exceeded
 */
export async function authenticateRequest(
  dependencies: Dependencies,
  { request, address }: AddressedRequest,
  accepted: readonly string[],
): Promise<Viewer> {
  const token = bearerToken(request);
  return requireAcceptedKind(
    await dependencies.authenticator.authenticate(dependencies.read, address, token),
    accepted,
  );
}

function requireAcceptedKind(viewer: Viewer | AuthFailure, accepted: readonly string[]): Viewer {
  if (typeof viewer !== 'string' && accepted.includes(viewer.kind)) return viewer;
  const error = typeof viewer === 'string' ? viewer : 'credential_kind_not_accepted';
  const kinds = accepted.includes('dashboard')
    ? 'This operation accepts live API keys and dashboard tokens only.'
    : 'This operation accepts live API keys only.';
  throw unauthorized(error, credentialDetail(error, kinds));
}

function bearerToken(request: IncomingMessage): string {
  const bearer = parseBearer(headerValues(request, 'authorization'));
  if ('token' in bearer) return bearer.token;
  switch (bearer.error) {
    case 'missing':
      throw unauthorized('missing_credential');
    case 'repeated':
      throw unauthorized('invalid_credential', 'The Authorization header must be sent once.');
    case 'malformed':
      throw unauthorized('invalid_credential');
  }
}

function unauthorized(code: CredentialError, detail = credentialDetail(code, '')): ApiError {
  const challenge = code === 'missing_credential' ? '' : ', error="invalid_token"';
  return new ApiError('unauthorized', detail, {
    errors: [{ code, detail }],
    headers: { 'WWW-Authenticate': `${realm}${challenge}` },
  });
}
