import { exitCodes, Failure } from '../failure.js';

interface ProblemLike {
  readonly title: string;
  readonly detail?: unknown;
  readonly code?: unknown;
  readonly request_id?: unknown;
  readonly errors?: unknown;
}

/** A refusal of the service. */
export class Refusal extends Failure {
  constructor(
    text: string | readonly string[],
    readonly status: number,
    readonly code: string | undefined,
  ) {
    super(text, status === 401 ? exitCodes.notSignedIn : exitCodes.refused);
  }
}

/** Describes a response that is no success: its problem, or that it is not of this service. */
export function refusalOf(status: number, body: string, url: string): Refusal {
  const problem = parse(body);
  if (!problem) {
    const text = `${url} answered ${status} without a problem. Is this the URL of Signalpost?`;
    return new Refusal(text, status, undefined);
  }
  const { title, detail, code, request_id: requestId } = problem;
  const lines = [
    ...details(problem).filter((line) => line !== title),
    ...(typeof detail === 'string' && details(problem).length === 0 ? [detail] : []),
    ...(status >= 500 && typeof requestId === 'string' ? [`Request: ${requestId}`] : []),
    ...(status === 401 ? ['Run signalpost login with a live key.'] : []),
  ];
  const known = typeof code === 'string' ? code : undefined;
  const first = `${title} (${[status, ...(known === undefined ? [] : [known])].join(' ')})`;
  return new Refusal([first, ...lines.map((line) => `  ${line}`)], status, known);
}

function details({ errors }: ProblemLike): string[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: { detail?: unknown; param?: unknown } | null) => {
    if (typeof error?.detail !== 'string') return [];
    return [typeof error.param === 'string' ? `${error.param}: ${error.detail}` : error.detail];
  });
}

function parse(body: string): ProblemLike | undefined {
  try {
    const value = JSON.parse(body) as Partial<ProblemLike> | null;
    return typeof value?.title === 'string' ? { ...value, title: value.title } : undefined;
  } catch {
    return undefined;
  }
}
