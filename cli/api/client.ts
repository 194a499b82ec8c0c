import { setTimeout as wait } from 'node:timers/promises';
import { exitCodes, Failure } from '../failure.js';
import { version } from '../version.js';
import { refusalOf } from './problem.js';
import { readBody, send } from './request.js';

/** A replay answers when its first attempt has ended. */
const idleMs = 60_000;
const largestBody = 64 * 1_048_576;
/** The longest pause that a response may ask for. */
export const longestPauseSeconds = 30;
export const tries = 4;

/** One call of the service. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the URL of the service, such as `/v1/webhooks/endpoints`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object | undefined;
  /** The key of a change; the same for each try. */
  readonly idempotencyKey?: string | undefined;
}

/** What every command asks the service with. */
export interface Client {
  readonly url: string;
  /**
   * Sends a request and returns the JSON of the answer, undefined for 204. Waits as `Retry-After`
   * asks on 429 and 503, at most 30 s, and tries at most four times.
   * @throws Refusal for an answer that is no success; Failure 4 when none arrives
   */
  call<Answer>(call: Call): Promise<Answer>;
}

/** Returns a client of the service at `url`. */
export function createClient({ url, key }: { url: string; key: string }): Client {
  const headers = { Authorization: `Bearer ${key}`, 'User-Agent': `signalpost-cli/${version}` };
  return {
    url,
    async call<Answer>(call: Call) {
      for (let attempt = 1; ; attempt += 1) {
        const { status, retryAfter, text, target } = await once(call);
        if (status >= 200 && status < 300) return parse(text, target) as Answer;
        const busy = (status === 429 || status === 503) && retryAfter !== undefined;
        if (!busy || attempt === tries || retryAfter > longestPauseSeconds) {
          throw refusalOf(status, text, target.origin);
        }
        await wait(retryAfter * 1_000);
      }
    },
  };

  async function once({ method = 'GET', path, query = {}, body, idempotencyKey }: Call) {
    const target = new URL(`${url}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, value);
    }
    const response = await send(target, {
      method,
      headers: {
        ...headers,
        Accept: 'application/json, application/problem+json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      body: body && JSON.stringify(body),
      idleMs,
    });
    const text = await readBody(response, target, largestBody);
    const pause = Number(response.headers['retry-after']);
    return {
      status: response.statusCode ?? 0,
      retryAfter: Number.isFinite(pause) ? Math.max(0, pause) : undefined,
      text,
      target,
    };
  }
}

function parse(text: string, url: URL): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `${url.origin} answered without JSON. Is this the URL of Signalpost?`;
    throw new Failure(message, exitCodes.refused, { cause: error });
  }
}
