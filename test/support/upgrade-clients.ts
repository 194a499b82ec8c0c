import { fetch } from 'undici';
import { endpointsPath } from './endpoints.js';
import type { Service } from './service.js';

const clients = 2;

/** What clients of an API saw. */
export interface Calls {
  readonly events: string[];
  /** Every answer that was no success, and every request without one. */
  readonly failures: string[];
}

/** Publishes and reads over HTTP while `work` runs. */
export async function besideClients<T>(
  { events, failures }: Calls,
  { url }: Service,
  token: string,
  publishNext: (key: string) => Promise<string>,
  work: () => Promise<T>,
): Promise<T> {
  const state = { isOver: false };
  const headers = { authorization: `Bearer ${token}` };
  const read = async () => {
    const response = await fetch(`${url}${endpointsPath}`, { headers });
    await response.text();
    if (response.status !== 200) throw new Error(`GET: ${response.status}`);
  };
  const calling = Array.from({ length: clients }, async (_each, client) => {
    for (let number = 1; !state.isOver; number += 1) {
      const fail = (error: unknown) => void failures.push(String(error));
      const key = `client-${client}-${number}`;
      await publishNext(key).then((event) => void events.push(event), fail);
      await read().catch(fail);
    }
  });
  const result = await work().finally(() => (state.isOver = true));
  await Promise.all(calling);
  return result;
}

/** Answers of the API that say that it failed, by its metrics. */
export async function failuresOf({ internalUrl }: Service): Promise<readonly string[]> {
  const response = await fetch(`${internalUrl}/metrics`);
  const failure = /^signalpost_(graphql_errors_total|http_requests_total\{.*status="5)/;
  return (await response.text()).split('\n').filter((line) => failure.test(line));
}
