import { hash } from 'node:crypto';
import { randomBase62 } from '../values/id.js';

/** The kind of a stored credential; `legacy` keys keep the prefix of earlier years. */
export type CredentialKind = (typeof credentialKinds)[number];
export const credentialKinds = ['live', 'legacy', 'dashboard', 'internal'] as const;

const prefixes: Readonly<Record<CredentialKind, string>> = {
  live: 'sk_live_',
  legacy: 'live_',
  dashboard: 'dst_',
  internal: 'int_',
};

/** Reserved: there is no test mode. The service recognises such a key to say that it does not accept its kind. */
const testPrefix = 'sk_test_';

/** 43 base62 characters carry 256 bits. */
const randomLength = 43;

/** Creates a bearer token of this kind. Show it once, and store only its hash. */
export function makeToken(kind: CredentialKind): string {
  return prefixes[kind] + randomBase62(randomLength);
}

/** Why an Authorization header names no bearer token. */
type BearerError = 'missing' | 'repeated' | 'malformed';

/** The content of the Authorization header; the token is not validated yet. */
type ParsedBearer = { readonly token: string } | { readonly error: BearerError };

/**
 * Reads the bearer token of a request (RFC 6750 §2.1). Several Authorization headers are an error, because nobody
 * knows which one the client means.
 * @param values the value of every Authorization header, as the client sent it
 */
export function parseBearer(values: readonly string[]): ParsedBearer {
  const [value = ''] = values;
  if (values.length > 1) return { error: 'repeated' };
  if (value === '') return { error: 'missing' };
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(value) ?? [];
  return token === undefined ? { error: 'malformed' } : { token };
}

/** Returns the SHA-256 under which the database stores a token. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Returns why a token is rejected without a look-up; undefined if it needs one. */
export function refusalByFormat(
  token: string,
): 'credential_kind_not_accepted' | 'invalid_credential' | undefined {
  if (isTestToken(token)) return 'credential_kind_not_accepted';
  return hasTokenFormat(token) ? undefined : 'invalid_credential';
}

/** Whether the token has the reserved test prefix. */
export function isTestToken(token: string): boolean {
  return token.startsWith(testPrefix);
}

/** Whether a token has the format of ours; the service rejects others without a query. */
export function hasTokenFormat(token: string): boolean {
  return (
    token.length <= 256 &&
    Object.values(prefixes).some((prefix) => token.startsWith(prefix)) &&
    /^[A-Za-z0-9_]+$/.test(token)
  );
}
