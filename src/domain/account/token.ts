import { hash } from 'node:crypto';
import { randomBase62 } from '../id.js';

/** What a stored credential is (H86, H87); `legacy` keys keep the prefix of earlier years. */
export type CredentialKind = (typeof credentialKinds)[number];
export const credentialKinds = ['live', 'legacy', 'dashboard', 'internal'] as const;

const prefixes: Readonly<Record<CredentialKind, string>> = {
  live: 'sk_live_',
  legacy: 'live_',
  dashboard: 'dst_',
  internal: 'int_',
};

/** Reserved: there is no test mode, such a key is recognised only to be refused by its kind (H86). */
const testPrefix = 'sk_test_';

/** 43 base62 characters carry 256 bits. */
const randomLength = 43;

/** Makes a bearer token of that kind; it is shown once, and stored only as its hash (H86). */
export function makeToken(kind: CredentialKind): string {
  return prefixes[kind] + randomBase62(randomLength);
}

/** Why an Authorization header names no bearer token. */
export type BearerError = 'missing' | 'repeated' | 'malformed';

/** What the Authorization header says; reading it asks nobody whether the token is valid. */
export type ParsedBearer = { readonly token: string } | { readonly error: BearerError };

/**
 * Reads the bearer token of a request (RFC 6750 §2.1, H90). Which of several headers was meant is
 * not for us to guess.
 * @param values of every Authorization header, as they were sent
 */
export function parseBearer(values: readonly string[]): ParsedBearer {
  const [value = ''] = values;
  if (values.length > 1) return { error: 'repeated' };
  if (value === '') return { error: 'missing' };
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(value) ?? [];
  return token === undefined ? { error: 'malformed' } : { token };
}

/** What a token is stored and found by: its SHA-256. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Whether the token bears the reserved test prefix (H86). */
export function isTestToken(token: string): boolean {
  return token.startsWith(testPrefix);
}

/** Whether a token can be one of ours; what cannot is refused without asking the database. */
export function hasTokenFormat(token: string): boolean {
  return (
    token.length <= 256 &&
    Object.values(prefixes).some((prefix) => token.startsWith(prefix)) &&
    /^[A-Za-z0-9_]+$/.test(token)
  );
}
