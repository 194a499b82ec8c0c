import { randomBase62 } from '../id.js';

/** 44 characters decode as 33 bytes of base64, which Standard Webhooks libraries need (H14). */
const randomLength = 44;

/** How long a secret keeps signing after a rotation (H24). */
export const rotationOverlapMs = 24 * 60 * 60 * 1_000;

/** How many secrets besides the newest one may sign (H24). */
export const maxOldSecrets = 10;

/** Makes a signing secret: `whsec_` and 44 random characters of [A-Za-z0-9] (H14). */
export function makeSecret(): string {
  return `whsec_${randomBase62(randomLength)}`;
}
