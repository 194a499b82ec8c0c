import type { ServerResponse } from 'node:http';
import type { Viewer } from '../domain/account/credentials.js';
import type { Deadline } from './deadline.js';
import { type Problem, ApiError } from './problem.js';

/** A response whose body a handler writes itself, after the headers were sent. */
export interface OwnResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: (response: ServerResponse) => void;
}

/** A whole response. `text` is null without content, and a Buffer if the content is binary. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of Set-Cookie, besides one in the headers. */
  readonly cookies?: readonly string[];
  readonly text: string | Buffer | null;
}

/** What the log line of a request needs. Later stages set what they reach. */
export interface RequestState {
  deadline: Deadline;
  /** The trace of the request; undefined when it is not recorded. */
  traceparent?: string | undefined;
  reply?: Reply | undefined;
  /** Headers of each response to a request that was counted, also of an error. */
  headers?: Reply['headers'];
  /** In place of `reply`. */
  own?: OwnResponse;
  /** Who asks, once the credential is known. */
  caller?: Pick<Viewer, 'account' | 'credential' | 'kind'>;
  /** Name of the request in logs and metrics. */
  operation?: string;
  /** The path without its secret, for the log. Defaults to the path with its ids redacted. */
  path?: string;
  /** Renders an error as a page. Without it, the client gets the Problem as JSON. */
  renderProblem?: (problem: Problem) => Pick<Problem, 'headers' | 'text'>;
}

/** Makes the response that holds this value as JSON. */
export function jsonReply(status: number, body: unknown, headers: Reply['headers'] = {}): Reply {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, text: JSON.stringify(body) };
}

/** The Allow header of a path that is only read. */
export const readOnly = 'GET, HEAD, OPTIONS';

/**
 * Answers OPTIONS, and refuses a method that the path does not have.
 * @param allow the methods of the path, as its Allow header lists them
 * @returns undefined for a method that the path has
 * @throws ApiError method_not_allowed
 */
export function methodReply(method: string, allow: string): Reply | undefined {
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow }, text: null };
  if (!allow.split(', ').includes(method)) throw methodNotAllowed(method, allow);
  return undefined;
}

/** The error for a method that is not among those of the path. */
export function methodNotAllowed(method: string, allow: string): ApiError {
  const headers = { Allow: allow };
  return new ApiError('method_not_allowed', `Method ${method} is not allowed here.`, { headers });
}
