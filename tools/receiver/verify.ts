import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The largest difference between the time of a signature and now. */
const toleranceSeconds = 300;

/** The result of verifying a request; `reason` says what is wrong. */
export type Verification =
  | { readonly verified: true }
  | { readonly verified: false; readonly reason: string };

/**
 * Verifies `X-Service-Signature` as a receiver does: HMAC-SHA256 over `<t>.<raw body>`, keyed with the
 * whole secret string. Any `v1` may match any secret. Compares in constant time. The time `t` is at
 * most 300 s away from `now`.
 * @param body the bytes as received
 * @param secrets the endpoint's signing secrets, `whsec_…`
 * @param now the time of the receiver
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
