import { createHmac, timingSafeEqual } from 'node:crypto';

/** The seconds that the time of a signature may differ from now. */
export const toleranceSeconds = 300;

/** What one signature covers. */
export interface Signed {
  readonly form: 'service' | 'standard';
  readonly id: string;
  readonly timestamp: string;
  readonly given: readonly Buffer[];
}

/** The signature of `X-Service-Signature`: HMAC-SHA256 over `<t>.<body>`, keyed with the whole secret. */
export function serviceSignature(secret: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** The signature of `webhook-signature`: over `<id>.<t>.<body>`, keyed with the decoded secret. */
export function standardSignature(
  secret: string,
  id: string,
  timestamp: string,
  body: Buffer,
): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Whether one of the given signatures is right for `secret` and `body`. */
export function matches(
  { form, id, timestamp, given }: Signed,
  secret: string,
  body: Buffer,
): boolean {
  const expected =
    form === 'service'
      ? serviceSignature(secret, timestamp, body)
      : standardSignature(secret, id, timestamp, body);
  return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}
