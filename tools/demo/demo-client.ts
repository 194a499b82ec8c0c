import { randomUUID } from 'node:crypto';

/** The fields of a delivery of `/v1` that the demo reads. */
export interface DeliveryRecord {
  readonly id: string;
  readonly attempt: number;
  readonly status: string;
  readonly response_status?: number;
  readonly event_id: string;
  readonly replayed_from?: string;
}

/** Calls `/v1` as a client does. @throws Error when the response is a problem */
export async function callRest<Answer>(
  url: string,
  token: string,
  method: 'GET' | 'POST' | 'PATCH',
  body?: object,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(method !== 'GET' && { 'Idempotency-Key': randomUUID() }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
  return answer;
}

/** What the service says of one field that it refuses. */
interface Issue {
  readonly param: string;
  readonly detail: string;
}

/** A refused operation of the internal GraphQL. */
export class GraphqlError extends Error {
  readonly issues: readonly Issue[];

  constructor(
    errors: readonly { readonly extensions?: { readonly errors?: readonly Issue[] } }[] = [],
  ) {
    super(`GraphQL: ${JSON.stringify(errors)}`);
    this.issues = errors.flatMap(({ extensions }) => extensions?.errors ?? []);
  }
}

/** Calls the internal GraphQL, as the platform's own tools do. @throws GraphqlError */
export async function callGraphql<Data>(
  internalUrl: string,
  token: string,
  query: string,
  variables: object,
): Promise<Data> {
  const response = await fetch(`${internalUrl}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as {
    data?: Data;
    errors?: readonly { readonly extensions?: { readonly errors?: readonly Issue[] } }[];
  };
  if (!data || errors) throw new GraphqlError(errors);
  return data;
}

/** Waits until `probe` returns a value. @throws Error after 30 s without one */
export async function waitFor<T>(
  what: string,
  probe: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const end = performance.now() + 30_000;
  while (performance.now() < end) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Timed out after 30 s waiting for ${what}`);
}
