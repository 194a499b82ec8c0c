import type { AuthFailure } from './credentials.js';

/** Why a request has no viewer: what its credential is, or that it has none. */
export type CredentialError = AuthFailure | 'missing_credential';

/** What is said of it; `accepted` says whom the operation takes, where that is the reason. */
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
