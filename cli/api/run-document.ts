import { exitCodes, Failure } from '../failure.js';
import type { Document } from '../generated/documents.js';
import { printable } from '../output/printable.js';
import type { Client } from './client.js';
import { Refusal } from './problem.js';

interface GraphqlError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly detail?: string;
    readonly errors?: readonly { readonly detail: string; readonly param?: string }[];
  };
}

/** What the service answers to an operation. */
export interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
}

/**
 * Runs an operation of `cli/documents`, which the service knows by its id.
 * @throws Failure with the first error of the answer, or when the service is of another release
 */
export async function runDocument<Result, Variables>(
  client: Client,
  { id }: Document<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  return resultOf((await post(client, { id, variables })) as Answer<Result>);
}

/** Returns the data of an answer. @throws Failure with its first error */
export function resultOf<Result>(answer: Answer<Result>): Result {
  const [error] = answer.errors ?? [];
  if (!error && answer.data) return answer.data;
  const { code, detail = error?.message, errors = [] } = error?.extensions ?? {};
  const lines = errors.map((each) => (each.param ? `${each.param}: ${each.detail}` : each.detail));
  const text = (lines.length > 0 ? lines : [detail ?? 'The answer has no data.']).map(printable);
  throw new Failure(
    text.join('\n'),
    code === 'unauthenticated' ? exitCodes.notSignedIn : exitCodes.refused,
  );
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
