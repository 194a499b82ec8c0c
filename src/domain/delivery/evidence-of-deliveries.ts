// The evidence of attempts as its readers see it: read for the records of a list, with the body as text and the failure
// in words. evidence.ts makes it.
import type { Read, Statement } from '../transaction/tx.js';
import type { Delivery } from './deliveries.js';
import type { DeliveryEvidence } from './delivery.entity.js';
import type { Header } from './evidence.js';
import type { AttemptPhase, AttemptTimings, RefusedReason, UnreachableReason } from './outcome.js';

/** The evidence of an attempt, as its readers see it. */
export interface ShownEvidence {
  readonly url: string;
  readonly requestHeaders: readonly Header[];
  /** Null without a response, or when responses were not kept. */
  readonly responseHeaders: readonly Header[] | null;
  /** Null without a response, or when responses were not kept. */
  readonly responseBody: ShownBody | null;
  readonly timings: AttemptTimings;
  /** Null when nothing was dialled. */
  readonly address: string | null;
  readonly tlsVersion: string | null;
  /** Why the attempt failed, in words; null for a success. */
  readonly failure: string | null;
  /** What was wrong with the response of a success, in words; null for a failure. */
  readonly warning: string | null;
}

/** Looks up each record laterally: the planner could turn a join into a hash of whole partitions. */
const evidenceStatement: Statement = {
  name: 'delivery_evidence_of',
  text: `
    select v.delivery_id as "deliveryId", v.url, v.request_headers as "requestHeaders", v.phase,
           v.address, v.tls_version as "tlsVersion", v.detail, v.lookup_ms as "lookupMs",
           v.connect_ms as "connectMs", v.tls_ms as "tlsMs", v.first_byte_ms as "firstByteMs",
           v.total_ms as "totalMs", v.response_headers as "responseHeaders", v.body,
           v.body_truncated as "bodyTruncated"
      from unnest($1::text[]) i (id)
      cross join lateral (
        select * from delivery_evidence v where v.delivery_id = i.id limit 1) v`,
};

/** Returns the evidence of these records. Records without any are not in the map. */
export async function evidenceOfDeliveries(
  read: Read,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<string, ShownEvidence>> {
  const rows = await read.sql<DeliveryEvidence>(evidenceStatement, [
    deliveries.map(({ id }) => id),
  ]);
  const rowOf = new Map(rows.map((row) => [row.deliveryId, row]));
  return new Map(
    deliveries.flatMap((delivery) => {
      const row = rowOf.get(delivery.id);
      return row ? [[delivery.id, show(delivery, row)]] : [];
    }),
  );
}

function show({ failureReason, responseStatus }: Delivery, row: DeliveryEvidence): ShownEvidence {
  const { url, requestHeaders, responseHeaders, body, address, tlsVersion, phase, detail } = row;
  const { lookupMs, connectMs, tlsMs, firstByteMs, totalMs } = row;
  const failure =
    failureReason === null
      ? null
      : describeFailure({ reason: failureReason, responseStatus, phase, address, detail });

  return {
    url,
    requestHeaders,
    responseHeaders,
    responseBody: body && showBody(body, row.bodyTruncated, responseHeaders ?? []),
    timings: { lookupMs, connectMs, tlsMs, firstByteMs, totalMs },
    address,
    tlsVersion,
    failure,
    warning: failureReason === null ? describeIncompleteBody({ phase, detail }) : null,
  };
}

export const bodyEncodings = ['text', 'hex'] as const;

/** The first bytes of a body, as a reader can see them. */
export interface ShownBody {
  readonly encoding: (typeof bodyEncodings)[number];
  readonly content: string;
  /** Whether the receiver sent more. */
  readonly truncated: boolean;
}

const charsetOf = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
/** A control character other than tab, LF and CR: terminals and pages would misread it. */
const control = /[^\P{Cc}\t\n\r]/u;

/**
 * Decodes the bytes by the charset of their Content-Type, which defaults to UTF-8. Shows them as
 * hexadecimal digits if they are compressed, not valid in that charset, or hold control characters.
 */
export function showBody(bytes: Buffer, truncated: boolean, headers: readonly Header[]): ShownBody {
  const text = decode(bytes, truncated, headers);
  return text === undefined || control.test(text)
    ? { encoding: 'hex', content: bytes.toString('hex'), truncated }
    : { encoding: 'text', content: text, truncated };
}

function decode(bytes: Buffer, truncated: boolean, headers: readonly Header[]): string | undefined {
  const valueOf = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  const coding = valueOf('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity' && coding !== '') return undefined;
  const [, charset = 'utf-8'] = charsetOf.exec(valueOf('content-type') ?? '') ?? [];
  try {
    // As a stream, a letter that the limit cuts is left out; otherwise it is invalid.
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: truncated });
  } catch {
    return undefined;
  }
}

/** The facts of an attempt from which a failure is described. */
interface Failure {
  /** The code of the record, such as `status_503` or `timeout`. */
  readonly reason: string;
  readonly responseStatus: number | null;
  readonly phase: AttemptPhase | null;
  /** The address of the last connection attempt. */
  readonly address: string | null;
  /** A code of the error, or a sentence about the response. */
  readonly detail: string | null;
}

const sentences: Readonly<Record<UnreachableReason | RefusedReason, string>> = {
  dns_failure: 'The host name has no address, or its name servers did not answer.',
  connection_refused: 'The receiver refused the connection.',
  connection_reset: 'The receiver closed the connection before it sent a complete response head.',
  host_unreachable: 'The network has no route to the receiver.',
  proxy_connect_failed: 'The proxy of the service could not connect to the receiver, or may not.',
  connect_timeout: 'The connection was not established in time.',
  tls_timeout: 'The TLS handshake did not complete in time.',
  tls_failure: 'The TLS handshake failed.',
  tls_certificate_expired: 'The certificate of the receiver, or of its issuer, has expired.',
  tls_certificate_not_yet_valid: 'The certificate of the receiver is not valid yet.',
  tls_certificate_untrusted:
    'The certificate of the receiver was not issued by a trusted authority.',
  tls_certificate_wrong_host: 'The certificate of the receiver is for another host name.',
  timeout: 'The receiver sent no complete response head in time.',
  protocol_error: 'The receiver did not send a valid HTTP/1.1 response.',
  other: 'The connection failed.',
  blocked_destination: 'The service may not connect to an address of this host. Nothing was sent.',
  invalid_target: 'The URL cannot be used. Nothing was sent.',
};

const connectTimeouts: Readonly<Partial<Record<AttemptPhase, string>>> = {
  wait: 'All connections to the receiver were in use until the timeout.',
  lookup: 'The name servers did not answer in time.',
  connect: 'The receiver did not accept the connection in time.',
  // Records of 2.0.0 have no `tls_timeout`.
  tls: 'The TLS handshake did not complete in time.',
};

/** Sentences for a code of the error, where it says more than the reason. */
const byDetail: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The receiver sent no intermediate certificate, or a private authority issued its certificate. ' +
    'Configure the receiver to send its certificate together with the intermediate ones.',
};

/** Says in words why an attempt failed, with address and detail where they help. */
export function describeFailure(failure: Failure): string {
  const { reason, responseStatus, phase, address, detail } = failure;
  if (responseStatus !== null) return describeStatus(responseStatus);
  const late = reason === 'connect_timeout' && phase ? connectTimeouts[phase] : undefined;
  const sentence =
    late ??
    byDetail[detail ?? ''] ??
    (sentences as Readonly<Record<string, string>>)[reason] ??
    reason;
  return withFacts(sentence, [address && `address ${address}`, detail]);
}

/**
 * Says in words what was wrong with the response of a success: its body was left open, say.
 * @returns null when the response was complete
 */
export function describeIncompleteBody({
  phase,
  detail,
}: Pick<Failure, 'phase' | 'detail'>): string | null {
  if (phase !== 'body') return null;
  return withFacts('The receiver accepted the event, but its response is incomplete.', [detail]);
}

function withFacts(sentence: string, known: readonly (string | null)[]): string {
  const facts = known.filter(Boolean).map((fact) => fact?.replace(/\.$/, ''));
  return facts.length === 0 ? sentence : `${sentence} (${facts.join('; ')})`;
}

function describeStatus(status: number): string {
  const response = `The receiver responded with status ${status}.`;
  if (status === 410)
    return `${response} The service makes no further attempt and disables the endpoint.`;
  if (status >= 300 && status < 400 && status !== 304)
    return `${response} Redirects are not followed: change the URL of the endpoint.`;
  return response;
}
