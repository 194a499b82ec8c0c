// Key pairs of endpoints, for receivers that verify with a public key (Standard Webhooks, `v1a`): an endpoint that asks
// for it has an Ed25519 key pair, and its requests a signature of it beside the others.
//
// The private key exists only sealed, in a row of `endpoint_secret` that also has the public key. A rotation works like
// one of the signing secret: the older private keys sign for 24 more hours (secrets.ts). Whoever has the id of an endpoint
// may read its public keys, so they are neither secret nor personal.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { FieldChange } from '../audit/audit-entry.entity.js';
import type { Read, Tx } from '../transaction/tx.js';
import {
  findPublicKeys,
  type KeyPair,
  type PublicKey,
  removePrivateKeys,
  replacePrivateKey,
} from './secrets.js';

const privatePrefix = 'whsk_';
const publicPrefix = 'whpk_';
/** Bytes of a seed, and of a public key. Both encodings of OpenSSL end with them. */
const keyLength = 32;

/** Returns the public path where the public keys of an endpoint are read. */
export function publicKeyPath(endpointId: string): string {
  return `/webhooks/keys/${endpointId}`;
}

/** Makes an Ed25519 key pair: `whsk_` and base64 of seed and public key, `whpk_` and base64 of the public key. */
export function makeKeyPair(): KeyPair {
  // Not as key objects: in Node 20, exporting a generated one as a JWK can wait forever for the garbage collector.
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const seed = privateKey.subarray(-keyLength);
  const point = publicKey.subarray(-keyLength);

  return {
    privateKey: privatePrefix + Buffer.concat([seed, point]).toString('base64'),
    publicKey: publicPrefix + point.toString('base64'),
  };
}

/** Parses a private key that {@link makeKeyPair} made. */
export function parsePrivateKey(text: string): KeyObject {
  const bytes = Buffer.from(text.slice(privatePrefix.length), 'base64');
  const d = bytes.subarray(0, keyLength).toString('base64url');
  const x = bytes.subarray(keyLength).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}

/**
 * Returns the public keys of endpoints of any account, by id, the newest first: the current one, and those that sign
 * for a while after a rotation. Endpoints without are absent.
 */
export async function publicKeysById(
  read: Pick<Read, 'sql'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly PublicKey[]>> {
  const keys = new Map<string, PublicKey[]>();

  for (const { endpointId, ...key } of await findPublicKeys(read, ids)) {
    const others = keys.get(endpointId);
    if (others) others.push(key);
    else keys.set(endpointId, [key]);
  }

  return keys;
}

/**
 * Gives an endpoint, whose row the transaction has locked, a key pair, or deletes all that it has.
 * @param wanted null or false deletes, undefined keeps what is
 * @returns undefined if nothing changes
 */
export async function setKeyPair(
  tx: Tx,
  endpointId: string,
  wanted: boolean | null | undefined,
): Promise<FieldChange | undefined> {
  if (wanted === undefined) return undefined;

  const from = await currentPublicKey(tx, endpointId);
  if ((from !== null) === (wanted ?? false)) return undefined;
  if (wanted) return publicKeyChange(null, await rotateKeyPair(tx, endpointId, tx.now));

  await removePrivateKeys(tx, endpointId);
  return publicKeyChange(from, null);
}

/** Returns the newest public key of an endpoint; null if it has none. */
export async function currentPublicKey(read: Read, endpointId: string): Promise<string | null> {
  const [newest] = await findPublicKeys(read, [endpointId]);
  return newest?.publicKey ?? null;
}

/**
 * Adds a key pair to an endpoint whose row the transaction has locked, and returns its public key. The older private
 * keys sign for 24 more hours.
 * @param at later than every earlier rotation
 */
export async function rotateKeyPair(tx: Tx, endpointId: string, at: Date): Promise<string> {
  const pair = makeKeyPair();
  await replacePrivateKey(tx, endpointId, at, pair);
  return pair.publicKey;
}

/** The entry of the audit log about another public key, or about none. */
export function publicKeyChange(from: string | null, to: string | null): FieldChange {
  return { field: 'public_key', from, to };
}
