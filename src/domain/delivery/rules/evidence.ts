import type { Attempt, AttemptPhase, AttemptTimings } from './outcome.js';
import { type Header, keptHeaders, unsignedHeaders } from './evidence-headers.js';
import { signatureRedactor } from './redact-signatures.js';
import { redactUrl } from './redact-url.js';

/** What is kept of an attempt beside its record, as it is stored. */
export interface Evidence extends AttemptTimings {
  /** Without user information and secret query parameters. */
  readonly url: string;
  readonly requestHeaders: readonly Header[];
  /** Null when nothing was dialled. */
  readonly phase: AttemptPhase | null;
  readonly address: string | null;
  readonly tlsVersion: string | null;
  readonly detail: string | null;
  /** Null without a response, or when responses are not kept. */
  readonly responseHeaders: readonly Header[] | null;
  /** The first 4 KiB, in base64. */
  readonly body: string | null;
  readonly bodyTruncated: boolean;
}

const noTimings: AttemptTimings = {
  lookupMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  totalMs: null,
};

/** Whether a success of this attempt has evidence, too: it is the first after a failure. */
export function followsFailure({ attempt }: { readonly attempt: number }): boolean {
  return attempt > 1;
}

/**
 * Makes the evidence of an attempt that failed, was the first to succeed after a failure of its
 * pending delivery, or succeeded although the receiver left the body open.
 * @returns undefined for other attempts
 */
export function evidenceOf(
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  { outcome, trace }: Attempt,
): Evidence | undefined {
  if (!trace && outcome.kind === 'accepted') return undefined;
  const response = trace?.response ?? null;
  // Some receivers repeat the headers of the request.
  const unsigned = signatureRedactor(response ? request.headers : {});
  return {
    url: redactUrl(request.url),
    requestHeaders: unsignedHeaders(request.headers),
    phase: trace?.phase ?? null,
    address: trace?.address ?? null,
    tlsVersion: trace?.tlsVersion ?? null,
    detail: trace?.detail ?? null,
    ...(trace?.timings ?? noTimings),
    responseHeaders: response && keptHeaders(unsigned(response.head)),
    body: response && redactBody(response.body, unsigned),
    bodyTruncated: response?.truncated ?? false,
  };
}

/** In base64. */
function redactBody(body: Buffer, unsigned: (text: string) => string): string {
  return Buffer.from(unsigned(body.toString('latin1')), 'latin1').toString('base64');
}
