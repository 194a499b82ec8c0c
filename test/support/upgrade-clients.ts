import { fetch } from 'undici';
import { endpointsPath } from './endpoints.js';
import type { Service } from './service.js';

const clients = 2;

/** The addresses of an API. */
export type ApiHost = Pick<Service, 'url' | 'internalUrl'>;

/** What clients of an API saw. */
export interface Calls {
  readonly events: string[];
  /** Every answer that was no success, and every request without one. */
  readonly failures: string[];
}

/** The APIs behind the proxy, at each call. */
interface Apis {
  readonly serving: readonly ApiHost[];
  /** Those whose process was told to end. */
  readonly ending: ReadonlySet<ApiHost>;
}

/** Publishes and reads over HTTP while `work` runs. */
export async function besideClients<T>(
  { events, failures }: Calls,
  apis: Apis,
  token: string,
  publishNext: (key: string, api: ApiHost) => Promise<string>,
  work: () => Promise<T>,
): Promise<T> {
  const state = { isOver: false };
  const headers = { authorization: `Bearer ${token}` };
  const read = async ({ url }: ApiHost) => {
    const response = await fetch(`${url}${endpointsPath}`, { headers });
    await response.text();
    if (response.status !== 200) throw new Error(`GET: ${response.status}`);
  };
  const calling = Array.from({ length: clients }, async (_each, client) => {
    for (let number = 1; !state.isOver; number += 1) {
      const fail = (error: unknown) => {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause : '';
        failures.push(`${String(error)} ${String(cause)}`.trim());
      };
      const key = `client-${client}-${number}`;
      await throughProxy(apis, number, (api) => publishNext(key, api)).then(
        (event) => void events.push(event),
        fail,
      );
      await throughProxy(apis, number, read).catch(fail);
    }
  });
  const result = await work().finally(() => (state.isOver = true));
  await Promise.all(calling);
  return result;
}

/** Calls the APIs in turn. From one that refuses or is ending, a call goes to the next one. */
async function throughProxy<T>(
  { serving, ending }: Apis,
  turn: number,
  call: (api: ApiHost) => Promise<T>,
): Promise<T> {
  const first = turn % serving.length;
  let reason: unknown = new Error('no API serves');
  for (const api of [...serving.slice(first), ...serving.slice(0, first)]) {
    try {
      return await call(api);
    } catch (error) {
      // An answer that breaks off has another message: a proxy has passed on its beginning.
      if (!(error instanceof TypeError) || error.message !== 'fetch failed') throw error;
      const { code } = error.cause as NodeJS.ErrnoException;
      // An accepted request must be answered, unless its connection was idle when the process ended.
      if (code !== 'ECONNREFUSED' && !ending.has(api)) throw error;
      reason = error;
    }
  }
  throw reason;
}

/** Answers of the API that say that it failed, by its metrics. */
export async function failuresOf({ internalUrl }: ApiHost): Promise<readonly string[]> {
  const response = await fetch(`${internalUrl}/metrics`);
  const failure = /^signalpost_(graphql_errors_total|http_requests_total\{.*status="5)/;
  return (await response.text()).split('\n').filter((line) => failure.test(line));
}
