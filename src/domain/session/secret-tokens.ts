import { hash, randomBytes } from 'node:crypto';
import { randomBase62 } from '../values/id.js';

/** 43 base62 characters carry 256 bits. */
const tokenLength = 43;
/** 8 characters of 32 possible ones carry 40 bits; a browser has five tries. */
const codeLength = 8;
/** The characters of a code: without 0, 1, I and O, which people mix up. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Creates the secret of a link or a cookie. Store only its {@link hashSecret}. */
export function makeSecretToken(): string {
  return randomBase62(tokenLength);
}

/** Creates a code for people to type, such as `ABCD-EFGH`. */
export function makeCode(): string {
  const characters = Array.from(randomBytes(codeLength), (byte) => codeAlphabet.charAt(byte % 32));
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`;
}

/** Returns a code as {@link makeCode} writes it, from one in any case, with spaces or without the hyphen. */
export function normalizeCode(typed: string): string {
  const letters = typed.replace(/[\s-]+/g, '').toUpperCase();
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Whether a text has the format of {@link makeSecretToken}; others need no look-up. */
export function isSecretToken(text: string): boolean {
  return text.length === tokenLength && /^[A-Za-z0-9]+$/.test(text);
}

/** Returns the SHA-256 that the database stores in place of a secret. */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
