// Signs as the service does, for `listen --forward-to`, and explains why a signature is wrong, for
// `verify`. Calls no service.
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  isSecret,
  parseSignatures,
  standardSignature,
  toleranceSeconds,
} from '../clients/typescript/src/verify.js';

/** A parsed signature header. */
interface Signed {
  readonly form: 'service' | 'standard';
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly Uint8Array[];
}

/** Signs as in `X-Service-Signature`: HMAC-SHA256 over `<t>.<body>`, keyed with the secret as text. */
export function serviceSignature(secret: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** Whether one of the signatures is right for `secret` and `body`. */
function matches(
  { form, id, timestamp, signatures }: Signed,
  secret: string,
  body: Buffer,
): boolean {
  const expected =
    form === 'service'
      ? serviceSignature(secret, timestamp, body)
      : standardSignature(secret, id, timestamp, body);
  return signatures.some(
    (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
  );
}

/** The request to check, and when it arrived. */
export interface SignatureInput {
  /** The value of `X-Service-Signature` or `webhook-signature`, with or without its name. */
  readonly header: string;
  readonly secrets: readonly string[];
  readonly body: Buffer;
  readonly id?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly now: Date;
}

/** The result, and the first reason that explains it. */
type Explanation =
  | { readonly right: true; readonly form: Signed['form']; readonly secret: number }
  | { readonly right: false; readonly reason: Reason; readonly detail: string };

type Reason = 'header_form' | 'secret_form' | 'wrong_secret_or_body' | 'body_changed' | 'clock';

/** Checks a signature. If it is wrong, tries the usual mistakes and names the first that explains it. */
export function explainSignature(input: SignatureInput): Explanation {
  const { secrets, body, now } = input;
  const signed = parseHeader(input);
  if (typeof signed === 'string') return wrong('header_form', signed);

  const place = secrets.findIndex((secret) => matches(signed, secret, body));
  if (place === -1) return explainMismatch(signed, secrets, body);

  const age = Math.round(now.getTime() / 1_000 - Number(signed.timestamp));
  if (Math.abs(age) > toleranceSeconds) {
    const where = age > 0 ? `${age} s old` : `${-age} s in the future`;
    return wrong(
      'clock',
      `The signature is right, but ${where}; receivers accept ${toleranceSeconds} s. Set the clock, or use --at.`,
    );
  }

  return { right: true, form: signed.form, secret: place };
}

/** @returns a text that says what is wrong with the header */
function parseHeader({ header, id, timestamp }: SignatureInput): Signed | string {
  const value = header.replace(/^\s*(x-service-signature|webhook-signature)\s*:/i, '').trim();
  if (/(^|\s)v1,/.test(value)) {
    if (id === undefined || timestamp === undefined) {
      return 'A webhook-signature also covers webhook-id and webhook-timestamp: add --id and --timestamp.';
    }

    return checked({ form: 'standard', id, timestamp, signatures: parseSignatures(value) });
  }

  const parts = value.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const time = parts.find(([name]) => name === 't')?.[1];
  const signatures = parts
    .filter(([name]) => name === 'v1')
    .map(([, hex = '']) => Buffer.from(/^[0-9a-f]{64}$/i.test(hex) ? hex : '', 'hex'));
  if (time === undefined || signatures.length === 0) {
    return 'The header has neither the form t=<seconds>,v1=<hex> nor v1,<base64>: was it cut off?';
  }

  return checked({ form: 'service', id: '', timestamp: time, signatures });
}

function checked(signed: Signed): Signed | string {
  if (!/^\d{1,12}$/.test(signed.timestamp)) {
    return `The time of the signature is ${JSON.stringify(signed.timestamp)}, not Unix seconds.`;
  }
  if (signed.signatures.some(({ length }) => length === 32)) return signed;
  return 'The header has no complete HMAC-SHA256 after v1: was it cut off?';
}

function explainMismatch(signed: Signed, secrets: readonly string[], body: Buffer): Explanation {
  for (const { bytes, detail } of otherBodies(body)) {
    if (secrets.some((secret) => matches(signed, secret, bytes))) {
      return wrong('body_changed', detail);
    }
  }

  for (const secret of secrets) {
    for (const { text, detail } of otherSecrets(secret)) {
      if (matches(signed, text, body)) return wrong('secret_form', detail);
    }
  }

  if (!secrets.every(isSecret)) {
    return wrong(
      'secret_form',
      'The secret does not have the form whsec_…: it may be cut off, or be an API key.',
    );
  }

  return wrong(
    'wrong_secret_or_body',
    'No usual mistake explains it: the secret belongs to another endpoint or was rotated, or the body is not the raw bytes that arrived.',
  );
}

/** Undoes the usual changes of frameworks and editors to the raw body, one at a time. */
function otherBodies(body: Buffer): { bytes: Buffer; detail: string }[] {
  const text = body.toString('utf8');
  const bodies = [
    {
      text: text.replace(/\r?\n$/, ''),
      detail: 'The body file has an extra line break at the end.',
    },
    {
      text: text.replaceAll('\r\n', '\n'),
      detail: 'The line breaks of the body were converted to CRLF.',
    },
    { text: text.replace(/^\ufeff/, ''), detail: 'The body file starts with a byte order mark.' },
  ];

  const json = compact(text);
  if (json !== undefined) {
    bodies.push({
      text: json,
      detail:
        'The body was parsed and serialized again: verify the raw bytes, before any JSON parser.',
    });
  }

  return bodies
    .filter((other) => other.text !== text)
    .map((other) => ({ bytes: Buffer.from(other.text), detail: other.detail }));
}

function compact(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function otherSecrets(secret: string): { text: string; detail: string }[] {
  return [
    { text: secret.trim(), detail: 'The secret has leading or trailing white space.' },
    { text: `whsec_${secret}`, detail: 'The secret lacks its prefix whsec_.' },
  ];
}

function wrong(reason: Reason, detail: string): Explanation {
  return { right: false, reason, detail };
}
