/*
 * How pages talk to the service: they call known documents by id, and open and end the session.
 *
 * Every failure is a RequestError, in the words of the service. A 401 ends the session on the page. An
 * unknown document means that the service runs a newer release, so the page reloads. A change whose
 * answer was lost is not repeated: it may have happened.
 */
import type { Document } from '../generated/documents.js';
import { text } from '../texts/text.js';
import { base } from './base.js';
import { reloadForNewVersion } from './new-version.js';
import { readRefusal, RequestError } from './request-error.js';
import { endSession } from './session-state.js';

const timeoutMs = 30_000;

/** Kept in the memory of this page only, for a browser that refuses cookies to a framed page. */
let pageToken: string | undefined;

/**
 * Executes a known document. An ended session leads to the sign-in page.
 * @throws RequestError
 */
export async function execute<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
): Promise<Result> {
  try {
    const answer = await request('POST', '/graphql', { id: document.id, variables });
    return (answer as { data: Result }).data;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.status === 401) endSession();
    if (error.code === 'document_unknown') reloadForNewVersion();
    if (error.code === 'unreachable' && document.kind === 'mutation') {
      throw new RequestError(error.code, text.common.lostChange);
    }
    throw error;
  }
}

/**
 * Sends JSON to a path below {@link base} and returns the JSON of the answer, null without a body.
 * @throws RequestError if the service refuses it, with the code `unreachable` if no answer comes
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

/** Sends this token with each later request; undefined sends none. */
export function setPageToken(token: string | undefined): void {
  pageToken = token;
}

/** The header that proves the session where the browser keeps no cookie. */
export function pageTokenHeader(): Readonly<Record<string, string>> {
  return pageToken === undefined ? {} : { 'Signalpost-Portal-Token': pageToken };
}

/** Whether only this page has the session; a cookie would share it with the other tabs. */
export function hasPageToken(): boolean {
  return pageToken !== undefined;
}
