// One exchange with the service: a request, and its answer. It is sent again while a repetition is safe and may help,
// at most until a deadline, and no answer takes more memory than a limit. Knows HTTP, and nothing of the operations.
import { setTimeout as wait } from 'node:timers/promises';
import type { components } from './generated/types.js';

/** The longest `Retry-After` that is waited for. */
const longestPauseSeconds = 30;
const largestBody = 64 * 1_048_576;
const firstBackoffMs = 200;
const longestBackoffMs = 5_000;
/** A longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;
/** The service is busy, or a proxy cannot reach it. */
const busyStatuses = [429, 502, 503, 504];

/** A request as a {@link Transport} sends it. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Ends the request and its response when nothing arrives in time, or the caller gives up. */
  readonly signal: AbortSignal;
}

/** A response whose headers have arrived. */
export interface TransportResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Sends one request, once, and follows no redirect. Rejects if no response arrives. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Sends with the `fetch` of the process. */
const fetchTransport: Transport = async ({ url, body = null, ...request }) => {
  const response = await fetch(url, { ...request, body, redirect: 'manual' });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body,
  };
};

/** How requests are sent, and how often. */
export interface ExchangeOptions {
  /** Defaults to `fetch`. */
  readonly transport?: Transport;
  /**
   * After how many failures a request is repeated, from 0. Defaults to 3. While the first request with
   * its key runs, nothing has failed.
   */
  readonly retries?: number;
  /** How long a try waits for the response, and for each next part of its body. Defaults to 30,000 ms. */
  readonly timeoutMs?: number;
  /** How long all tries and pauses of a request take together. Defaults to 120,000 ms. */
  readonly deadlineMs?: number;
}

/** A request, whatever its operation. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  /** Makes a change safe to repeat; the same for each try. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A response, completely read. */
interface Answer {
  readonly status: number;
  readonly headers: TransportResponse['headers'];
  readonly text: string;
}

type Schemas = components['schemas'];
/** The codes of this version; a later service may have more. */
export type ProblemCode = Schemas['ProblemCode'] | (string & Record<never, never>);
export type ProblemError = Pick<Schemas['ProblemError'], 'detail' | 'param'> & {
  readonly code: Schemas['ProblemErrorCode'] | (string & Record<never, never>);
};

/** The service refused the request and said why (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** Stable, such as `validation_failed`. */
  readonly code: ProblemCode;
  readonly title: string;
  readonly detail: string | undefined;
  /** One entry for each refused field, or one for the whole request. */
  readonly errors: readonly ProblemError[];
  /** The name of the first refused field, as it was sent. */
  readonly param: string | undefined;
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined;
  /** When the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** The key of the refused change: a repetition under it cannot make the change twice. */
  readonly idempotencyKey: string | undefined;

  constructor(
    status: number,
    { code, title, detail, errors, requestId }: ProblemDocument,
    { retryAfterSeconds, idempotencyKey }: Pick<Problem, 'retryAfterSeconds' | 'idempotencyKey'>,
  ) {
    const reasons = reasonsOf({ title, detail, errors }).map((reason) => `\n  ${oneLine(reason)}`);
    super(`${oneLine(title)} (${status} ${oneLine(code)})${reasons.join('')}`);
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.param = errors.find(({ param }) => param !== undefined)?.param;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.idempotencyKey = idempotencyKey;
  }
}

/** A text of the service as it can be logged. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 1_000);
}

/** Says in lines why the service refused a request, besides the title; the texts are those of the service. */
export function reasonsOf({
  title,
  detail,
  errors,
}: Pick<Problem, 'title' | 'detail' | 'errors'>): string[] {
  const reasons = errors.map((error) =>
    error.param === undefined ? error.detail : `${error.param}: ${error.detail}`,
  );
  const given = reasons.length === 0 && detail !== undefined ? [detail] : reasons;
  return given.filter((reason) => reason !== title);
}

/** No complete response arrived: whether a change was made is unknown. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';

  constructor(
    message: string,
    /** The key of the change: a repetition under it cannot make the change twice. */
    readonly idempotencyKey: string | undefined,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The response is none of the service: a proxy or something else answered. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse';

  constructor(
    message: string,
    readonly status: number,
    /** The key of the change: a repetition under it cannot make the change twice. */
    readonly idempotencyKey: string | undefined,
    readonly retryAfterSeconds?: number,
    /** What it said; empty if that was too long. */
    readonly text = '',
  ) {
    super(message);
  }
}

/** Sends an exchange until it is answered, and returns the JSON of a success; undefined for 204. */
export type Send = (exchange: Exchange) => Promise<unknown>;

/**
 * Returns a function that sends exchanges. It sends one again when no answer arrives, on 502 and 504 (both
 * only for a GET or with a key), and on 429 and 503, after `Retry-After` and a random pause. While the first
 * request with its key runs, it asks again until the deadline.
 * @throws Problem when the service refuses; NoResponse or UnexpectedResponse when no answer of it arrives;
 *   the reason of `signal` when that aborts
 */
export function createSend({
  transport = fetchTransport,
  retries = 3,
  timeoutMs = 30_000,
  deadlineMs = 120_000,
}: ExchangeOptions): Send {
  return async (exchange) => {
    const body = exchange.body && JSON.stringify(exchange.body);
    const deadline = nowMs() + deadlineMs;
    let failures = 0;

    for (let pauses = 1; ; pauses += 1) {
      const result = await once(exchange, body, deadline);
      if (!(result instanceof Error)) return parseSuccess(result, exchange);

      const isRunning = result instanceof Problem && result.code === 'idempotency_key_in_progress';
      if (!isRunning) failures += 1;
      const isOver = failures > retries || (!isRunning && !mayHelp(result, exchange));

      const retryAfterSeconds = retryAfterOf(result) ?? 0;
      const pauseMs = retryAfterSeconds * 1_000 + backoffMs(pauses, Math.random());
      const isTooLong = retryAfterSeconds > longestPauseSeconds;
      if (isOver || isTooLong || nowMs() + pauseMs >= deadline) throw result;

      await wait(pauseMs, undefined, exchange.signal && { signal: exchange.signal }).catch(() =>
        exchange.signal?.throwIfAborted(),
      );
    }
  };

  /** @throws the reason of the caller's signal when that aborts */
  async function once(exchange: Exchange, body: string | undefined, deadline: number) {
    const { method, url, signal, idempotencyKey } = exchange;
    signal?.throwIfAborted();

    const stop = new AbortController();
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const idle = setTimeout(
      () => stop.abort(new Error(`nothing arrived for ${timeoutMs / 1_000} s`)),
      Math.min(timeoutMs, longestTimerMs),
    );
    const last = setTimeout(
      () => stop.abort(new Error(`the deadline of ${deadlineMs / 1_000} s has passed`)),
      Math.min(deadline - nowMs(), longestTimerMs),
    );

    try {
      const response = await transport({
        method,
        url,
        headers: headersOf(exchange),
        body,
        signal: stop.signal,
      });

      const { status, headers } = response;
      const text = await readBody(response.body, () => idle.refresh());
      if (text === undefined) {
        const message = `${new URL(url).origin} answered with more than ${largestBody} bytes.`;
        return new UnexpectedResponse(message, status, idempotencyKey);
      }

      const answer = { status, headers, text };
      return status >= 200 && status < 300 ? answer : errorOf(answer, url, idempotencyKey);
    } catch (error) {
      signal?.throwIfAborted();
      const cause: unknown = stop.signal.aborted ? stop.signal.reason : error;
      const message = `No response from ${new URL(url).origin}: ${reasonOf(cause)}.`;
      return new NoResponse(message, idempotencyKey, { cause });
    } finally {
      clearTimeout(idle);
      clearTimeout(last);
      signal?.removeEventListener('abort', abort);
    }
  }
}

type Failed = Problem | UnexpectedResponse | NoResponse;

/** Whether a repetition is safe, and may help. */
function mayHelp(error: Failed, { method, idempotencyKey }: Exchange): boolean {
  const isSafe = method === 'GET' || idempotencyKey !== undefined;
  if (error instanceof NoResponse) return isSafe;
  if (isSafe) return busyStatuses.includes(error.status);

  // Only a service that asks for a repetition has said that it changed nothing.
  return [429, 503].includes(error.status) && error.retryAfterSeconds !== undefined;
}

function retryAfterOf(error: Failed): number | undefined {
  return error instanceof NoResponse ? undefined : error.retryAfterSeconds;
}

/** Grows steadily, as `performance.now()` does, whose modules cost a command 2 ms to load. */
function nowMs(): number {
  return process.uptime() * 1_000;
}

/**
 * Returns the pause after a number of failures: 0.2 s, doubling to 5 s, less up to half of it as jitter.
 * @param random from 0 up to 1
 */
function backoffMs(failures: number, random: number): number {
  const most = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(failures - 1, 10));
  return most * (1 - random / 2);
}

function headersOf({ headers, body, idempotencyKey }: Exchange): Record<string, string> {
  return {
    Accept: 'application/json, application/problem+json',
    ...headers,
    ...(body && { 'Content-Type': 'application/json' }),
    // The service reads the bytes as UTF-8; transports write one byte for each character.
    ...(idempotencyKey !== undefined && {
      'Idempotency-Key': Buffer.from(idempotencyKey).toString('latin1'),
    }),
  };
}

/** Reads a body as UTF-8; undefined if it is too large. */
async function readBody(
  body: TransportResponse['body'],
  onPart: () => void,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;

  for await (const chunk of body ?? []) {
    onPart();
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > largestBody) return undefined;
    chunks.push(chunk);
  }

  return Buffer.concat(chunks).toString('utf8');
}

/** Says why an error happened; the causes of `fetch` and of several addresses say it better. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
  const parts = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return parts.map((part) => part.message || (part as NodeJS.ErrnoException).code).join('; ');
}

function parseSuccess({ status, text }: Answer, { url, idempotencyKey }: Exchange): unknown {
  if (status === 204) return undefined;
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null) return value;
  const message = `${new URL(url).origin} answered ${status} without a JSON object.`;
  throw new UnexpectedResponse(message, status, idempotencyKey);
}

/** Returns undefined for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns what a response that is not a success says: its problem, or that something else answered. */
export function errorOf(
  { status, headers, text }: Answer,
  url: string,
  idempotencyKey?: string,
): Problem | UnexpectedResponse {
  const retryAfterSeconds = secondsOf(headers['retry-after']);
  const problem = parseProblem(text);
  if (problem) return new Problem(status, problem, { retryAfterSeconds, idempotencyKey });

  const message = `${new URL(url).origin} answered ${status} without a problem document.`;
  return new UnexpectedResponse(message, status, idempotencyKey, retryAfterSeconds, text);
}

/** Returns the seconds of a `Retry-After`, which is a number or a date; undefined for anything else. */
function secondsOf(header: string | readonly string[] | undefined): number | undefined {
  if (typeof header !== 'string' || header === '') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

type ProblemDocument = Pick<Problem, 'code' | 'title' | 'detail' | 'errors' | 'requestId'>;

/** Returns undefined for a text that is not a problem of the service. */
function parseProblem(text: string): ProblemDocument | undefined {
  const { title, code, detail, errors, request_id: requestId } = membersOf(parseJson(text));
  if (typeof title !== 'string' || typeof code !== 'string') return undefined;
  return {
    title,
    code,
    detail: textOf(detail),
    errors: Array.isArray(errors) ? errors.flatMap(parseError) : [],
    requestId: textOf(requestId),
  };
}

function parseError(value: unknown): ProblemError[] {
  const { code, detail, param } = membersOf(value);
  if (typeof detail !== 'string') return [];
  return [{ code: textOf(code) ?? '', detail, ...(typeof param === 'string' && { param }) }];
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
