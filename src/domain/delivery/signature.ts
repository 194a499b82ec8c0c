import { createHmac, type KeyObject, sign as signWith } from 'node:crypto';

/** The signatures of one attempt, one header each. */
interface Signatures {
  /** Seconds since 1970, as text. Both signatures cover it. */
  readonly timestamp: string;
  /** `t=<timestamp>,v1=<hex>[,v1=<hex>…]`, newest secret first. */
  readonly service: string;
  /** `v1,<base64>[ v1,<base64>…][ v1a,<base64>…]`, newest secret and newest private key first (Standard Webhooks). */
  readonly standard: string;
}

const secretPrefix = 'whsec_';

/** Standard Webhooks' identifier of an Ed25519 signature. No other place of the code has it. */
const ed25519Identifier = 'v1a';

/**
 * Signs the bytes of one attempt with each live secret, newest first:
 * - `X-Service-Signature` over `<t>.<body>`, keyed with the whole secret string;
 * - `webhook-signature` (Standard Webhooks) over `<id>.<t>.<body>`, keyed with the base64-decoded
 *   part after `whsec_`. After these it has an Ed25519 signature of each private key.
 * @param at when this attempt starts
 * @param privateKeys Ed25519 keys, newest first; defaults to none
 */
export function sign(
  secrets: readonly string[],
  eventId: string,
  body: Uint8Array,
  at: Date,
  privateKeys: readonly KeyObject[] = [],
): Signatures {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  let service = `t=${timestamp}`;
  let standard = '';
  for (const secret of secrets) {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    const separator = standard === '' ? '' : ' ';
    service += `,v1=${hmac(Buffer.from(secret), `${timestamp}.`, body).digest('hex')}`;
    standard += `${separator}v1,${hmac(key, `${eventId}.${timestamp}.`, body).digest('base64')}`;
  }

  if (privateKeys.length > 0) {
    const message = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), body]);
    for (const key of privateKeys) {
      standard += ` ${ed25519Identifier},${signWith(null, message, key).toString('base64')}`;
    }
  }

  return { timestamp, service, standard };
}

function hmac(key: Buffer, before: string, body: Uint8Array): ReturnType<typeof createHmac> {
  return createHmac('sha256', key).update(before).update(body);
}
