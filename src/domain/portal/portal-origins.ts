import type { Issue } from '../errors.js';
import { parseUrl } from '../parse-url.js';

/** A policy with more would be a long header of each page. */
const maxOrigins = 10;
const maxLength = 200;

/** Hosts of this machine, where a developer has no TLS. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+)$/;

/**
 * Validates the origins that may frame a portal: at most 10, each exactly as a browser writes it.
 * What they say goes into a header, so nothing but an origin passes.
 */
export function originIssues(origins: readonly string[]): Issue[] {
  if (origins.length > maxOrigins) {
    const detail = `Must be at most ${maxOrigins} origins.`;
    return [{ code: 'invalid_value', detail, param: 'origins' }];
  }
  return origins.flatMap((origin, place) => {
    const detail = problemOf(origin);
    return detail === undefined
      ? []
      : [{ code: 'invalid_value', detail, param: `origins[${place}]` } as const];
  });
}

function problemOf(origin: string): string | undefined {
  if (origin.length > maxLength) return `Must be at most ${maxLength} characters.`;
  const url = parseUrl(origin);
  if (url?.origin !== origin || !/^https?:\/\/[a-z0-9.:-]+$/.test(origin)) {
    return 'Must be an origin such as https://shop.example, without a path.';
  }
  if (url.protocol === 'https:' || loopback.test(url.hostname)) return undefined;
  return 'Must begin with https, except on localhost and 127.0.0.1.';
}
