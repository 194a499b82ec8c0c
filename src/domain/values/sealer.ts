import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** One 256-bit key of the key ring; each sealed secret is stored with the `id` of its key. */
export interface SecretKey {
  readonly id: string;
  readonly key: Buffer;
}

/** A secret as the database stores it. */
export interface SealedSecret {
  readonly keyId: string;
  /** Nonce, authentication tag and cipher text, in this order. */
  readonly sealed: Buffer;
}

/** The key ring cannot open a secret. The message names the key and the cause. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

const nonceLength = 12;
const tagLength = 16;

/**
 * Seals secrets at rest with AES-256-GCM under a key ring whose first key is the newest.
 * The owner's id is authenticated with the secret, so a sealed secret is useless in another row.
 */
export class Sealer {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #newest: SecretKey;

  /** @throws Error when the ring is empty */
  constructor(ring: readonly SecretKey[]) {
    const [newest] = ring;
    if (!newest) throw new Error('The key ring is empty. Set SECRET_KEY.');
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

  /**
   * Opens a secret that {@link seal} sealed for the same `owner`.
   * @throws CannotOpen when {@link tryOpen} returns it
   */
  open(secret: SealedSecret, owner: string): string {
    const opened = this.tryOpen(secret, owner);
    if (opened instanceof CannotOpen) throw opened;
    return opened;
  }

  /**
   * Opens a secret as {@link open} does.
   * @returns CannotOpen if the key ring lacks the key or has another key with that id, if the secret was altered, or if
   *   it was sealed for another owner
   */
  tryOpen({ keyId, sealed }: SealedSecret, owner: string): string | CannotOpen {
    const key = this.#keys.get(keyId);
    if (!key) return new CannotOpen(`SECRET_KEY has no key ${keyId}, which sealed it`);

    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength));
      decipher.setAAD(Buffer.from(owner));
      decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
      return (
        decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') +
        decipher.final('utf8')
      );
    } catch (error) {
      // Node says "Unsupported state or unable to authenticate data".
      return new CannotOpen(`SECRET_KEY ${keyId} is not the key that sealed it`, { cause: error });
    }
  }
}

/** Derives a key for another purpose from a key of the key ring (HKDF, RFC 5869). */
export function deriveKey(from: SecretKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', from.key, '', purpose, 32));
}
