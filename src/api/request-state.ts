import type { ServerResponse } from 'node:http';
import type { Deadline } from './deadline.js';
import type { Problem } from './problem.js';

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
export interface RequestState<Call = unknown> {
  deadline: Deadline;
  /** The trace of the request; undefined when it is not recorded. */
  traceparent?: string | undefined;
  call?: Call;
  /** The response of a handler that is no operation. */
  reply?: Reply | undefined;
  /** In place of `reply`. */
  own?: OwnResponse;
  /** Who asks, when there is no call. */
  caller?: { readonly account: string; readonly credential: string };
  /** Name of the request in logs and metrics when there is no call. */
  operation?: string;
  /** The path without its secret, for the log. Defaults to the path with its ids redacted. */
  path?: string;
  /** Renders an error as a page. Without it, the client gets the Problem as JSON. */
  renderProblem?: (problem: Problem) => Pick<Problem, 'headers' | 'text'>;
}
