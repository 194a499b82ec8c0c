import { isIP } from 'node:net';
import type { Cause, ErrorEntry } from '../errors.js';
import { dialRule, type DialRule } from './dial-rule.js';
import type { PrivateTargets } from './private-targets.js';

const longestUrl = 2_048;
const controlOrSpace = /[\p{Cc}\p{Z}\uFEFF]/u;
const loneSurrogate = /\p{Surrogate}/u;
/** What stands between `https://` and the next delimiter, before the parser repairs anything. */
const authority = /^https:\/\/([^/\\?#]*)/;

/**
 * The rule for an endpoint's `url` (H4): at most one refusal, on param `url`, none when it may be
 * stored as sent. Hosts that are literal addresses are judged here, names when they are dialled.
 * Pure; no DNS.
 */
export function checkTarget(url: string, policy: PrivateTargets): ErrorEntry[] {
  // A code point takes one or two units; this keeps a huge string from being spread.
  if (url.length > 2 * longestUrl || Array.from(url).length > longestUrl) {
    return refuse('too_long', `The url must be at most ${longestUrl} characters.`);
  }
  if (url.includes('\0') || loneSurrogate.test(url)) {
    return refuse('invalid_value', 'The url must not contain NUL or a lone surrogate.');
  }
  const host = authority.exec(url)?.[1];
  if (host === undefined) return refuse('invalid_format', 'The url must start with https://.');
  if (controlOrSpace.test(url)) {
    return refuse('invalid_format', 'The url must not contain spaces or control characters.');
  }
  if (host === '') return refuse('invalid_format', 'The url must name a host.');
  if (host.includes('@')) {
    return refuse('invalid_format', 'The url must not contain a user name or password.');
  }
  if (url.includes('#')) return refuse('invalid_format', 'The url must not have a fragment.');
  const parsed = parse(url);
  if (!parsed) return refuse('invalid_format', 'The url is not a valid URL.');
  if (literalRefused(parsed, dialRule(policy))) {
    return refuse('invalid_value', 'The url must not point to a private or reserved address.');
  }
  return [];
}

function refuse(code: Cause, detail: string): ErrorEntry[] {
  return [{ code, detail, param: 'url' }];
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/** The host of `url` when it is an IP address, without brackets; undefined when it is a name. */
function literalHost(url: URL): string | undefined {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) === 0 ? undefined : host;
}

/** True when the host is an IP address, in whatever spelling, that may not be dialled. */
export function literalRefused(url: URL, mayDial: DialRule): boolean {
  const host = literalHost(url);
  return host !== undefined && !mayDial(host);
}
