import type { Reply } from './request-state.js';

/** Makes the response that holds this value as JSON. */
export function jsonReply(status: number, body: unknown, headers: Reply['headers'] = {}): Reply {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, text: JSON.stringify(body) };
}
