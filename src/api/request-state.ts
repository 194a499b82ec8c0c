import type { Deadline } from './deadline.js';
import type { Problem } from './problem.js';

/** What the log line of a request needs; set as far as the request came. */
export interface RequestState<Call = unknown> {
  /** The time limit of the request. */
  deadline: Deadline;
  /** The call of a matched operation. */
  call?: Call;
  /** Set by whoever answers without one. */
  reply?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string | Buffer | null;
  };
  /** What log and metrics call the request when there is no call. */
  operation?: string;
  /** The path without the secret that it holds, for the log; defaults to the path with its ids cut. */
  path?: string;
  /** How a refusal is shown where people read it; absent: as the Problem that it is. */
  renderProblem?: (problem: Problem) => Pick<Problem, 'headers' | 'text'>;
}
