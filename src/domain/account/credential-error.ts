import type { AuthFailure } from './credentials.js';

/** Why a request has no viewer: the fault of its credential, or that it sends none. */
export type CredentialError = AuthFailure | 'missing_credential';

/**
 * Returns the sentence that tells the client why.
 * @param accepted the sentence for a credential of the wrong kind: which kinds the operation accepts
 */
export function credentialDetail(error: CredentialError, accepted: string): string {
  switch (error) {
    case 'missing_credential':
      return 'The request has no bearer credential.';
    case 'invalid_credential':
      return 'The bearer credential is not valid.';
    case 'expired_credential':
      return 'The bearer credential has expired.';
    case 'revoked_credential':
      return 'The bearer credential was revoked.';
    case 'credential_kind_not_accepted':
      return accepted;
  }
}
