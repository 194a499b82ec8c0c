import { randomBase62 } from '../id.js';

/** 44 characters decode to 33 bytes of base64, as Standard Webhooks libraries require. */
const randomLength = 44;

/** How long a secret continues to sign after a rotation, in milliseconds. */
export const rotationOverlapMs = 24 * 60 * 60 * 1_000;

/** At most this many secrets sign beside the newest one. */
export const maxOldSecrets = 10;

/** Makes a signing secret: `whsec_` and 44 random characters of [A-Za-z0-9]. */
export function makeSecret(): string {
  return `whsec_${randomBase62(randomLength)}`;
}
