import { setTimeout as wait } from 'node:timers/promises';
import { exitCodes, Failure } from '../failure.js';
import type { Document } from '../generated/documents.js';
import { type Client, longestPauseSeconds, tries } from './client.js';
import { Refusal } from './problem.js';

interface GraphqlError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly detail?: string;
    readonly retryAfterSeconds?: number;
    readonly errors?: readonly { readonly detail: string; readonly param?: string }[];
  };
}

/** What the service answers to an operation. */
export interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
}

/**
 * Runs an operation of `cli/documents`, which the service knows by its id. Waits where the operation
 * has reached a limit of its own, as {@link Client.call} does on 429.
 * @throws Failure with the first error of the answer, or when the service is of another release
 */
export async function runDocument<Result, Variables>(
  client: Client,
  { id }: Document<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = (await post(client, { id, variables })) as Answer<Result>;
    const pause = pauseOf(answer);
    if (pause === undefined || pause > longestPauseSeconds || attempt === tries) {
      return resultOf(answer);
    }
    await wait(pause * 1_000);
  }
}

/** Whether the service is of another release, which does not have the operation. */
export function isUnknownDocument(error: unknown): boolean {
  return (
    error instanceof Failure &&
    error.cause instanceof Refusal &&
    error.cause.code === 'document_unknown'
  );
}

/** Seconds after which an operation may be repeated; undefined if it was not refused for a rate limit. */
function pauseOf({ data, errors = [] }: Answer<unknown>): number | undefined {
  const { code, retryAfterSeconds } = errors[0]?.extensions ?? {};
  return !data && code === 'rate_limit_exceeded' ? retryAfterSeconds : undefined;
}

/** Returns the data of an answer. @throws Failure with its first error */
export function resultOf<Result>(answer: Answer<Result>): Result {
  const [error] = answer.errors ?? [];
  if (!error && answer.data) return answer.data;
  const { code, detail = error?.message, errors = [] } = error?.extensions ?? {};
  const lines = errors.map((each) => (each.param ? `${each.param}: ${each.detail}` : each.detail));
  const text = lines.length > 0 ? lines : [detail ?? 'The answer has no data.'];
  throw new Failure(text, code === 'unauthenticated' ? exitCodes.notSignedIn : exitCodes.refused);
}

async function post(client: Client, body: object): Promise<unknown> {
  try {
    return await client.call({ method: 'POST', path: '/dashboard/graphql', body });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isOther = error.code === 'document_unknown';
    if (!isOther && error.status !== 404) throw error;
    const text = isOther
      ? 'The service is of another release: install its version of signalpost.'
      : `${client.url} does not have this operation: give the public URL of the service.`;
    throw new Failure(text, exitCodes.refused, { cause: error });
  }
}
