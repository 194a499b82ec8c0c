import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far a signature's time may lie from now, in seconds. */
const toleranceSeconds = 300;

/** What a receiver found out about a request. */
export type Verification =
  { readonly verified: true } | { readonly verified: false; readonly reason: string };

/**
 * Checks `X-Service-Signature` as a receiver does (H82): HMAC-SHA256 under the whole secret string
 * over `<t>.<raw body>`, any `v1` of any secret, in constant time, at most 300 seconds old.
 * @param body the bytes as they arrived
 * @param secrets the endpoint's signing secrets, `whsec_…`
 * @param now the receiver's clock
 */
export function verifyDelivery(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): Verification {
  const header = headers['x-service-signature'];
  if (typeof header !== 'string') return refused('missing signature');
  if (secrets.length === 0) return refused('no --secret given');
  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string?]);
  const time = parts.find(([name]) => name === 't')?.[1];
  if (time === undefined) return refused('signature without time');
  if (Math.abs(now.getTime() / 1_000 - Number(time)) > toleranceSeconds) {
    return refused('signature too old');
  }
  const given = parts.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  const matches = secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
    return given.some((value) => sameBytes(Buffer.from(value, 'hex'), expected));
  });
  return matches ? { verified: true } : refused('signature does not match secret and body');
}

function refused(reason: string): Verification {
  return { verified: false, reason };
}

function sameBytes(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
