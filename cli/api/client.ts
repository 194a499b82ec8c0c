import { setTimeout as wait } from 'node:timers/promises';
import { exitCodes, Failure } from '../failure.js';
import type { Document } from '../generated/documents.js';
import { version } from '../version.js';

/** The service answers a replay only after the first attempt. */
const idleMs = 60_000;
const largestBody = 64 * 1_048_576;
/** The longest `Retry-After` that a command waits for. */
const longestPauseSeconds = 30;
const tries = 4;

/** One request to the service. */
interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Relative to the URL of the service, such as `/v1/webhooks/endpoints`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object | undefined;
  /** The key of a change; the same for each try. */
  readonly idempotencyKey?: string | undefined;
}

/** Calls the service for a command. */
export interface Client {
  readonly url: string;
  /**
   * Sends a request and returns the JSON of the response, undefined for 204. Waits as `Retry-After`
   * asks on 429 and 503, at most 30 s, and tries at most four times.
   * @throws Refusal unless the response is a success; Failure 4 when none arrives
   */
  call<Answer>(call: Call): Promise<Answer>;
}

/** Creates a client for the service at `url`. */
export function createClient({ url, key }: { url: string; key: string }): Client {
  const headers = { Authorization: `Bearer ${key}`, 'User-Agent': `signalpost-cli/${version}` };

  return {
    url,
    async call<Answer>(call: Call) {
      for (let attempt = 1; ; attempt += 1) {
        const { status, retryAfter, text, target } = await once(call);
        if (status >= 200 && status < 300) return parseJson(text, target) as Answer;

        const busy = (status === 429 || status === 503) && retryAfter !== undefined;
        if (!busy || attempt === tries || retryAfter > longestPauseSeconds) {
          throw refusalOf(status, text, target.origin);
        }
        await wait(retryAfter * 1_000);
      }
    },
  };

  async function once({ method = 'GET', path, query = {}, body, idempotencyKey }: Call) {
    const target = new URL(`${url}${path}`);

    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, value);
    }

    // Help and completion send nothing: without node:https they start in two thirds of the time.
    const { readBody, send } = await import('./http.js');
    const response = await send(target, {
      method,
      headers: {
        ...headers,
        Accept: 'application/json, application/problem+json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      body: body && JSON.stringify(body),
      idleMs,
    });

    const text = await readBody(response, target, largestBody);
    const pause = Number(response.headers['retry-after']);
    return {
      status: response.statusCode ?? 0,
      retryAfter: Number.isFinite(pause) ? Math.max(0, pause) : undefined,
      text,
      target,
    };
  }
}

function parseJson(text: string, url: URL): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `The response of ${url.origin} is not JSON. Is this the URL of Signalpost?`;
    throw new Failure(message, exitCodes.refused, { cause: error });
  }
}

interface GraphqlError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly detail?: string;
    readonly retryAfterSeconds?: number;
    readonly errors?: readonly { readonly detail: string; readonly param?: string }[];
  };
}

/** A GraphQL response. */
interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
}

/**
 * Runs an operation of `cli/documents`, which the service knows by its id. Waits out the rate limit of
 * an operation as {@link Client.call} waits on 429.
 * @throws Failure with the first error of the response, or when the service has another version
 */
export async function runDocument<Result, Variables>(
  client: Client,
  { id }: Document<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = (await postDocument(client, { id, variables })) as Answer<Result>;
    const pause = pauseOf(answer);
    if (pause === undefined || pause > longestPauseSeconds || attempt === tries) {
      return resultOf(answer);
    }
    await wait(pause * 1_000);
  }
}

async function postDocument(client: Client, body: object): Promise<unknown> {
  try {
    return await client.call({ method: 'POST', path: '/dashboard/graphql', body });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isUnknown = error.code === 'document_unknown';
    if (!isUnknown && error.status !== 404) throw error;
    const text = isUnknown
      ? 'The service has another version: install the signalpost of its version.'
      : `${client.url} does not have this operation: use the public URL of the service.`;
    throw new Failure(text, exitCodes.refused, { cause: error });
  }
}

/** Whether the service has another version, which does not know the operation. */
export function isUnknownDocument(error: unknown): boolean {
  return (
    error instanceof Failure &&
    error.cause instanceof Refusal &&
    error.cause.code === 'document_unknown'
  );
}

/** Runs a GraphQL operation at the internal listener. @throws Failure with the first error of the response */
export async function runInternal<Result>(
  client: Client,
  query: string,
  variables: object = {},
): Promise<Result> {
  const body = { query, variables };
  return resultOf(await client.call<Answer<Result>>({ method: 'POST', path: '/graphql', body }));
}

/** Returns the seconds to wait before a retry; undefined unless a rate limit refused the operation. */
function pauseOf({ data, errors = [] }: Answer<unknown>): number | undefined {
  const { code, retryAfterSeconds } = errors[0]?.extensions ?? {};
  return !data && code === 'rate_limit_exceeded' ? retryAfterSeconds : undefined;
}

function resultOf<Result>(answer: Answer<Result>): Result {
  const [error] = answer.errors ?? [];
  if (!error && answer.data) return answer.data;

  const isUnauthenticated = error?.extensions?.code === 'unauthenticated';
  throw new Failure(linesOf(error), isUnauthenticated ? exitCodes.notSignedIn : exitCodes.refused);
}

function linesOf({ message, extensions = {} }: Partial<GraphqlError> = {}): string[] {
  const { detail = message ?? 'The response has no data.', errors = [] } = extensions;
  const issues = errors.map(({ detail: text, param }) => (param ? `${param}: ${text}` : text));
  return issues.length > 0 ? issues : [detail];
}

interface ProblemLike {
  readonly title: string;
  readonly detail?: unknown;
  readonly code?: unknown;
  readonly request_id?: unknown;
  readonly errors?: unknown;
}

/** The service refused a request. */
export class Refusal extends Failure {
  constructor(
    text: string | readonly string[],
    readonly status: number,
    readonly code: string | undefined,
  ) {
    super(text, status === 401 ? exitCodes.notSignedIn : exitCodes.refused);
  }
}

/** Describes a response that is not a success: its problem or GraphQL error, or that something else answered. */
export function refusalOf(status: number, body: string, url: string): Refusal {
  const { problem, error } = parseRefusal(body);
  if (error) return new Refusal(linesOf(error), status, error.extensions?.code);

  if (!problem) {
    const text = `${url} answered ${status} without a problem document. Is this the URL of Signalpost?`;
    return new Refusal(text, status, undefined);
  }

  const { title, detail, request_id: requestId } = problem;
  const code = typeof problem.code === 'string' ? problem.code : undefined;
  const issues = issuesOf(problem);
  const lines = [
    ...issues.filter((line) => line !== title),
    ...(typeof detail === 'string' && issues.length === 0 ? [detail] : []),
    ...(status >= 500 && typeof requestId === 'string' ? [`Request: ${requestId}`] : []),
    ...(status === 401 ? ['Run signalpost login with a live key.'] : []),
  ];

  const first = `${title} (${[status, ...(code === undefined ? [] : [code])].join(' ')})`;
  return new Refusal([first, ...lines.map((line) => `  ${line}`)], status, code);
}

function issuesOf({ errors }: ProblemLike): string[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: { detail?: unknown; param?: unknown } | null) => {
    if (typeof error?.detail !== 'string') return [];
    return [typeof error.param === 'string' ? `${error.param}: ${error.detail}` : error.detail];
  });
}

function parseRefusal(body: string): { problem?: ProblemLike; error?: GraphqlError } {
  try {
    const value = JSON.parse(body) as (Partial<ProblemLike> & Answer<unknown>) | null;
    if (typeof value?.title === 'string') return { problem: { ...value, title: value.title } };
    const [error] = value?.errors ?? [];
    return typeof error?.message === 'string' ? { error } : {};
  } catch {
    return {};
  }
}
