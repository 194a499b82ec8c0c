import { createHmac } from 'node:crypto';

/** The signatures of one attempt, one header each. */
export interface Signatures {
  /** Seconds since 1970, as text; both signatures cover it. */
  readonly timestamp: string;
  /** `t=<timestamp>,v1=<hex>[,v1=<hex>…]`, newest secret first (H82). */
  readonly service: string;
  /** `v1,<base64>[ v1,<base64>…]`, newest secret first (Standard Webhooks). */
  readonly standard: string;
}

const secretPrefix = 'whsec_';

/**
 * Signs the bytes of one attempt under every live secret, newest first (H24, H82).
 * `X-Service-Signature` is keyed with the whole secret string over `<t>.<body>`; the Standard
 * Webhooks signature with the base64-decoded part after `whsec_` over `<id>.<t>.<body>`.
 * @param at when this attempt starts
 */
export function sign(
  secrets: readonly string[],
  eventId: string,
  body: Uint8Array,
  at: Date,
): Signatures {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const service = secrets.map(
    (secret) => `v1=${hmac(Buffer.from(secret), `${timestamp}.`, body).digest('hex')}`,
  );
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${hmac(key, `${eventId}.${timestamp}.`, body).digest('base64')}`;
  });
  return {
    timestamp,
    service: [`t=${timestamp}`, ...service].join(','),
    standard: standard.join(' '),
  };
}

function hmac(key: Buffer, before: string, body: Uint8Array): ReturnType<typeof createHmac> {
  return createHmac('sha256', key).update(before).update(body);
}
