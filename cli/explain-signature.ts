import { matches, type Signed, toleranceSeconds } from './signature.js';

/** What a request carried, and when it arrived. */
export interface SignatureInput {
  /** The value of `X-Service-Signature` or `webhook-signature`, with or without its name. */
  readonly header: string;
  readonly secrets: readonly string[];
  readonly body: Buffer;
  readonly id?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly now: Date;
}

/** The first thing that explains the result. */
export type Explanation =
  | { readonly right: true; readonly form: Signed['form']; readonly secret: number }
  | { readonly right: false; readonly reason: Reason; readonly detail: string };

type Reason = 'header_form' | 'secret_form' | 'wrong_secret_or_body' | 'body_changed' | 'clock';

/** Says whether a signature is right. If not, tries what usually goes wrong and names the first hit. */
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
      `The signature is right, but ${where}; receivers accept ${toleranceSeconds} s. Set the clock, or pass --at.`,
    );
  }
  return { right: true, form: signed.form, secret: place };
}

/** @returns a text that says what is wrong with the form */
function parseHeader({ header, id, timestamp }: SignatureInput): Signed | string {
  const value = header.replace(/^\s*(x-service-signature|webhook-signature)\s*:/i, '').trim();
  if (/(^|\s)v1,/.test(value)) {
    if (id === undefined || timestamp === undefined) {
      return 'A webhook-signature also covers webhook-id and webhook-timestamp: pass --id and --timestamp.';
    }
    const given = value
      .split(/\s+/)
      .filter((part) => part.startsWith('v1,'))
      .map((part) => Buffer.from(part.slice(3), 'base64'));
    return checked({ form: 'standard', id, timestamp, given });
  }
  const parts = value.split(',').map((part) => part.trim().split('=', 2) as [string, string?]);
  const time = parts.find(([name]) => name === 't')?.[1];
  const given = parts
    .filter(([name]) => name === 'v1')
    .map(([, hex = '']) => Buffer.from(/^[0-9a-f]{64}$/i.test(hex) ? hex : '', 'hex'));
  if (time === undefined || given.length === 0) {
    return 'The header has neither the form t=<seconds>,v1=<hex> nor v1,<base64>: was it cut?';
  }
  return checked({ form: 'service', id: '', timestamp: time, given });
}

function checked(signed: Signed): Signed | string {
  if (!/^\d{1,12}$/.test(signed.timestamp)) {
    return `The time of the signature is ${JSON.stringify(signed.timestamp)}, not Unix seconds.`;
  }
  if (signed.given.some((each) => each.length === 32)) return signed;
  return 'No v1 of the header is a whole HMAC-SHA256: was the header cut?';
}

function explainMismatch(signed: Signed, secrets: readonly string[], body: Buffer): Explanation {
  const hits = (secret: string, bytes: Buffer) => matches(signed, secret, bytes);
  for (const { bytes, detail } of otherBodies(body)) {
    if (secrets.some((secret) => hits(secret, bytes))) return wrong('body_changed', detail);
  }
  for (const secret of secrets) {
    for (const { text, detail } of otherSecrets(secret)) {
      if (hits(text, body)) return wrong('secret_form', detail);
    }
  }
  const odd = secrets.find((secret) => !/^whsec_[A-Za-z0-9+/_-]+={0,2}$/.test(secret));
  if (odd !== undefined) {
    return wrong(
      'secret_form',
      'The secret is not of the form whsec_…. It may be truncated, or an API key.',
    );
  }
  return wrong(
    'wrong_secret_or_body',
    'Neither secret nor body match: the secret is of another endpoint or was rotated, or the body is not the raw bytes that arrived.',
  );
}

/** The bodies that frameworks and editors make of the raw one. */
function otherBodies(body: Buffer): { bytes: Buffer; detail: string }[] {
  const text = body.toString('utf8');
  const bodies = [
    {
      text: text.replace(/\r?\n$/, ''),
      detail: 'The body file has one line break too many at its end.',
    },
    {
      text: text.replaceAll('\r\n', '\n'),
      detail: 'The line breaks of the body were changed to CRLF.',
    },
    { text: text.replace(/^\ufeff/, ''), detail: 'The body file begins with a byte order mark.' },
  ];
  const json = compact(text);
  if (json !== undefined) {
    bodies.push({
      text: json,
      detail:
        'The body was parsed and written again: verify the raw bytes, before any JSON parser.',
    });
  }
  return bodies
    .filter((each) => each.text !== text)
    .map((each) => ({ bytes: Buffer.from(each.text), detail: each.detail }));
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
    { text: secret.trim(), detail: 'The secret has white space around it.' },
    { text: `whsec_${secret}`, detail: 'The secret lacks its prefix whsec_.' },
  ];
}

function wrong(reason: Reason, detail: string): Explanation {
  return { right: false, reason, detail };
}
