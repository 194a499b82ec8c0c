/** Why a request failed, in the words of the service. */
export class RequestError extends Error {
  constructor(
    /** The code of the Problem, or `unreachable` if no answer came. */
    readonly code: string,
    detail: string,
    /** What is wrong with each parameter, by its name in the API. */
    readonly fields: Readonly<Record<string, string>> = {},
    readonly status = 0,
  ) {
    super(detail);
    this.name = 'RequestError';
  }
}

/** What the body of a refusal may hold: a Problem or errors of GraphQL. */
interface Refusal {
  readonly code?: unknown;
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly errors?: readonly Entry[];
}

interface Entry {
  readonly param?: unknown;
  readonly detail?: unknown;
  readonly message?: unknown;
  readonly extensions?: Refusal;
}

/** Reads a Problem or the first error of GraphQL; undefined if the body is neither. */
export function readRefusal(body: unknown, status: number): RequestError | undefined {
  const refusal = asRefusal(body);
  if (!refusal) return undefined;
  if (typeof refusal.code === 'string') return toError(refusal, refusal.detail, status);
  const [first] = refusal.errors ?? [];
  if (!first) return undefined;
  return toError(first.extensions ?? {}, first.message, status);
}

function toError({ code, errors }: Refusal, detail: unknown, status: number): RequestError {
  return new RequestError(
    typeof code === 'string' ? code : 'internal_error',
    typeof detail === 'string' ? detail : `HTTP ${status}`,
    fieldsOf(errors),
    status,
  );
}

/** The first issue of each parameter, and of the part of it that is wrong. */
function fieldsOf(errors: readonly Entry[] = []): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const { param, detail } of errors) {
    if (typeof param !== 'string' || typeof detail !== 'string') continue;
    // `event_types[3]` belongs to the field event_types.
    const field = param.split(/[.[]/, 1)[0] ?? param;
    fields[field] ??= detail;
    fields[param] ??= detail;
  }
  return fields;
}

function asRefusal(body: unknown): Refusal | undefined {
  return typeof body === 'object' && body !== null ? body : undefined;
}
