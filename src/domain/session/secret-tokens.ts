import { hash, randomBytes } from 'node:crypto';
import { randomBase62 } from '../id.js';

/** 43 base62 characters carry 256 bits. */
const tokenLength = 43;
/** 8 characters of an alphabet of 32 carry 40 bits; a browser has five tries. */
const codeLength = 8;
/** Without 0, 1, I and O, which people mix up. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Makes the secret of a link or of a cookie. Store only its {@link hashSecret}. */
export function makeSecretToken(): string {
  return randomBase62(tokenLength);
}

/** Makes a code that people type, as `ABCD-EFGH`. */
export function makeCode(): string {
  const characters = Array.from(randomBytes(codeLength), (byte) => codeAlphabet.charAt(byte % 32));
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`;
}

/** Returns a code as {@link makeCode} writes it; people type lower case, spaces and no hyphen. */
export function normalizeCode(typed: string): string {
  const letters = typed.replace(/[\s-]+/g, '').toUpperCase();
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Says whether a text can be a secret of {@link makeSecretToken}; others need no look-up. */
export function isSecretToken(text: string): boolean {
  return text.length === tokenLength && /^[A-Za-z0-9]+$/.test(text);
}

/** Returns the SHA-256 under which the database stores a secret text. */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
