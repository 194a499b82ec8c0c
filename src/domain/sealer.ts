import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** One 256-bit key of the ring; `id` is stored beside what it sealed. */
export interface SecretKey {
  readonly id: string;
  readonly key: Buffer;
}

/** A secret as it is stored: which key sealed it, and nonce, tag and cipher text in one. */
export interface SealedSecret {
  readonly keyId: string;
  readonly sealed: Buffer;
}

const nonceLength = 12;
const tagLength = 16;

/**
 * Seals secrets at rest with AES-256-GCM under a key ring whose first key is the newest (H14).
 * The owner's id is authenticated with the secret, so a sealed secret cannot be moved to another row.
 */
export class Sealer {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #newest: SecretKey;

  /** @throws Error when the ring is empty */
  constructor(ring: readonly SecretKey[]) {
    const [newest] = ring;
    if (!newest) throw new Error('the key ring is empty');
    this.#newest = newest;
    this.#keys = new Map(ring.map(({ id, key }) => [id, key]));
  }

  /** The id of the key that seals. */
  get newestKeyId(): string {
    return this.#newest.id;
  }

  /** Seals `secret` for `owner` under the newest key. */
  seal(secret: string, owner: string): SealedSecret {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#newest.key, nonce);
    cipher.setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { keyId: this.#newest.id, sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]) };
  }

  /** @throws Error when the key is not in the ring, or the secret was altered or belongs to another owner */
  open({ keyId, sealed }: SealedSecret, owner: string): string {
    const key = this.#keys.get(keyId);
    if (!key) throw new Error(`SECRET_KEY has no key "${keyId}"`);
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength));
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
    return (
      decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') +
      decipher.final('utf8')
    );
  }
}

/** A key for another purpose, derived from a key of the ring (RFC 5869). */
export function deriveKey(from: SecretKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', from.key, '', purpose, 32));
}
