import { base } from './base.js';
import { text } from '../texts/text.js';
import { pageTokenHeader } from './page-token.js';
import { readRefusal, RequestError } from './request-error.js';

const timeoutMs = 30_000;

/**
 * Sends JSON to a path below {@link base} and returns the JSON of the answer, null without a body.
 * @throws RequestError for a refusal, and `unreachable` without an answer
 */
export async function request(
  method: 'POST' | 'DELETE',
  path: string,
  body: object = {},
): Promise<unknown> {
  const response = await send(method, path, body);
  const answer = await readJson(response);
  const refusal = readRefusal(answer, response.status);
  if (refusal) throw refusal;
  if (!response.ok) {
    throw new RequestError('internal_error', `HTTP ${response.status}`, {}, response.status);
  }
  return answer;
}

async function send(method: string, path: string, body: object): Promise<Response> {
  try {
    return await fetch(`${base}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...pageTokenHeader() },
      body: JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch {
    throw unreachable();
  }
}

async function readJson(response: Response): Promise<unknown> {
  let body: string;
  try {
    body = await response.text();
  } catch {
    throw unreachable();
  }
  try {
    return body === '' ? null : JSON.parse(body);
  } catch {
    throw new RequestError('internal_error', `HTTP ${response.status}`, {}, response.status);
  }
}

function unreachable(): RequestError {
  return new RequestError('unreachable', text.common.lost);
}
