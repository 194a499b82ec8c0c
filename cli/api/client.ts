import { setTimeout as wait } from 'node:timers/promises';
import {
  type Client as V1Client,
  createClient as createV1Client,
} from '../../clients/typescript/src/client.js';
import {
  createSend,
  NoResponse,
  Problem,
  reasonsOf,
  type Transport,
  UnexpectedResponse,
} from '../../clients/typescript/src/exchange.js';
import { exitCodes, Failure } from '../failure.js';
import type { Document } from '../generated/documents.js';
import { version } from '../version.js';

/** The service answers a replay only after the first attempt. */
const timeoutMs = 60_000;
/** The longest `Retry-After` of an operation that a command waits for. */
const longestPauseSeconds = 30;
const tries = 4;

/** A request outside `/v1`. */
interface Call {
  readonly method?: 'GET' | 'POST';
  /** Relative to the URL of the service, such as `/graphql`. */
  readonly path: string;
  readonly body?: object | undefined;
}

/**
 * Calls the service for a command, as `clients/typescript` does: waits and repeats while the service is
 * busy or the connection fails. Throws Refusal unless the response is a success, and Failure 4 when none arrives.
 */
export interface Client {
  readonly url: string;
  /** Performs an operation of `/v1`. */
  readonly request: V1Client['request'];
  /** Reads the pages of a list of `/v1`. */
  readonly pages: V1Client['pages'];
  /** Sends a request to anything else, and returns the JSON of the response. */
  call<Answer>(call: Call): Promise<Answer>;
}

/** Sends over `node:http`, which help and completion need not load. */
const transport: Transport = async ({ url, ...request }) => {
  const { send } = await import('./http.js');
  const response = await send(new URL(url), request);
  return { status: response.statusCode ?? 0, headers: response.headers, body: response };
};

/** Creates a client for the service at `url`. */
export function createClient({ url, key }: { url: string; key: string }): Client {
  const userAgent = `signalpost-cli/${version}`;
  const v1 = createV1Client({ url, key, userAgent, transport, timeoutMs });
  const send = createSend({ transport, timeoutMs });
  const headers = { Authorization: `Bearer ${key}`, 'User-Agent': userAgent };

  return {
    url,
    request: (...parameters) => v1.request(...parameters).catch(fail),
    async *pages(...parameters) {
      try {
        yield* v1.pages(...parameters);
      } catch (error) {
        fail(error);
      }
    },
    call: <Answer>({ method = 'GET', path, body }: Call) =>
      send({ method, url: `${url}${path}`, headers, body }).catch(fail) as Promise<Answer>,
  };
}

/** An error of GraphQL; something else than the service may answer in any other form. */
interface GraphqlError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

/** A GraphQL response. */
interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: unknown;
}

/**
 * Runs an operation of `cli/documents`, which the service knows by its id. Waits out the rate limit of
 * an operation as {@link Client.call} waits on 429.
 * @throws Failure with the first error of the response, or when the service has another version
 */
export async function runDocument<Result, Variables>(
  client: Pick<Client, 'url' | 'call'>,
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

async function postDocument(client: Pick<Client, 'url' | 'call'>, body: object): Promise<unknown> {
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
function pauseOf(answer: Answer<unknown>): number | undefined {
  const { code, retryAfterSeconds } = errorOf(answer)?.extensions ?? {};
  const isLimited = !answer.data && code === 'rate_limit_exceeded';
  return isLimited && typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined;
}

function resultOf<Result>(answer: Answer<Result>): Result {
  const error = errorOf(answer);
  if (!error && answer.data) return answer.data;

  const isUnauthenticated = error?.extensions?.['code'] === 'unauthenticated';
  throw new Failure(linesOf(error), isUnauthenticated ? exitCodes.notSignedIn : exitCodes.refused);
}

/** Returns the first error of a response; undefined if it has none. */
function errorOf(answer: Answer<unknown> | null): GraphqlError | undefined {
  const [error] = Array.isArray(answer?.errors) ? (answer.errors as unknown[]) : [];
  return typeof (error as Partial<GraphqlError> | null | undefined)?.message === 'string'
    ? (error as GraphqlError)
    : undefined;
}

function linesOf(error: GraphqlError | undefined): string[] {
  const { detail, errors } = error?.extensions ?? {};
  const issues = (Array.isArray(errors) ? (errors as unknown[]) : []).flatMap(issueLines);
  if (issues.length > 0) return issues;
  return [typeof detail === 'string' ? detail : (error?.message ?? 'The response has no data.')];
}

function issueLines(issue: unknown): string[] {
  const { detail, param } = (issue ?? {}) as { detail?: unknown; param?: unknown };
  if (typeof detail !== 'string') return [];
  return [typeof param === 'string' ? `${param}: ${detail}` : detail];
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

function fail(error: unknown): never {
  throw failureOf(error);
}

/** Turns an error of the client into one that the user can act on; returns any other as it is. */
export function failureOf(error: unknown): Error {
  if (error instanceof Problem) return refusalOf(error);
  if (error instanceof UnexpectedResponse) {
    const refused = graphqlErrorOf(error.text);
    if (refused) {
      const code = refused.extensions?.['code'];
      return new Refusal(
        linesOf(refused),
        error.status,
        typeof code === 'string' ? code : undefined,
      );
    }
    const text = `${error.message} Is this the URL of Signalpost?`;
    return new Refusal(text, error.status, undefined);
  }
  if (!(error instanceof NoResponse)) return error as Error;

  // The error of the transport says more.
  const { message, cause } = error;
  return cause instanceof Failure ? cause : new Failure(message, exitCodes.unreachable, { cause });
}

function refusalOf(problem: Problem): Refusal {
  const { status, code, title, requestId } = problem;
  const lines = [
    ...reasonsOf(problem),
    ...(status >= 500 && requestId !== undefined ? [`Request: ${requestId}`] : []),
    ...(status === 401 ? ['Run signalpost login with a live key.'] : []),
  ];

  const first = `${title} (${status} ${code})`;
  return new Refusal([first, ...lines.map((line) => `  ${line}`)], status, code);
}

/** Returns the error of a GraphQL response, which without data has the status of its error. */
function graphqlErrorOf(body: string): GraphqlError | undefined {
  try {
    return errorOf(JSON.parse(body) as Answer<unknown> | null);
  } catch {
    return undefined;
  }
}
