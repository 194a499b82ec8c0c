import { isIP } from 'node:net';
import type { Cause, ErrorEntry } from '../errors.js';
import { dialRule, type DialRule } from './dial-rule.js';
import type { PrivateTargets } from './private-targets.js';

const longestUrl = 2_048;
const controlOrSpace = /[\p{Cc}\p{Z}\uFEFF]/u;
const loneSurrogate = /\p{Surrogate}/u;
/** What stands between `https://` and the next delimiter, before the parser repairs anything. */
const authority = /^https:\/\/([^/\\?#]*)/;
/** Host and port of an authority without user information. */
const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s;
const port = /^[1-9]\d{0,4}$/;
/** ASCII that RFC 3986 allows in no name, path or query; what is not ASCII belongs to RFC 3987. */
const misplaced = /[^\w.~!$&'()*+,;=:@/?%\u0080-\u{10ffff}-]/u;
const brokenPercent = /%(?![\da-f]{2})/i;
const ascii = /^[\0-\x7f]*$/;

/**
 * The rule for an endpoint's `url` (H4, H117): at most one refusal, on param `url`, none when it may be
 * stored as sent. What another parser would read differently is refused, so that a proxy, a log or a
 * receiver sees the host and path that are judged here. Hosts that are literal addresses are judged
 * here, names when they are dialled. Pure; no DNS.
 */
export function checkTarget(url: string, policy: PrivateTargets): ErrorEntry[] {
  // A code point takes one or two units; this keeps a huge string from being spread.
  if (url.length > 2 * longestUrl || Array.from(url).length > longestUrl) {
    return refuse('too_long', `The url must be at most ${longestUrl} characters.`);
  }
  if (url.includes('\0') || loneSurrogate.test(url)) {
    return refuse('invalid_value', 'The url must not contain NUL or a lone surrogate.');
  }
  const [start, target] = authority.exec(url) ?? [];
  if (start === undefined || target === undefined) {
    return refuse('invalid_format', 'The url must start with https://.');
  }
  const detail = formFault(target, url.slice(start.length));
  if (detail !== undefined) return refuse('invalid_format', detail);
  const parsed = parse(url);
  if (!parsed) return refuse('invalid_format', 'The url is not a valid URL.');
  const rewritten = isRewritten(target, parsed);
  if (literalRefused(parsed, dialRule(policy))) {
    return refuse('invalid_value', 'The url must not point to a private or reserved address.');
  }
  if (rewritten && literalHost(parsed) !== undefined) {
    return refuse('invalid_value', `The url must spell this address as ${parsed.hostname}.`);
  }
  return rewritten ? refuse('invalid_format', 'The host must not be percent-encoded.') : [];
}

/** Why parsers would not agree on a url of this authority and what follows it. */
function formFault(target: string, rest: string): string | undefined {
  if (controlOrSpace.test(target + rest)) {
    return 'The url must not contain spaces or control characters.';
  }
  if (target === '') return 'The url must name a host.';
  if (target.includes('@')) return 'The url must not contain a user name or password.';
  if (rest.includes('#')) return 'The url must not have a fragment.';
  const [, host = '', digits] = hostAndPort.exec(target) ?? [];
  if (digits !== undefined && !port.test(digits)) {
    return 'The port must be a number from 1 to 65535 without leading zeros. Omit the colon for 443.';
  }
  const [inHost] = host.startsWith('[') ? [] : (misplaced.exec(host) ?? []);
  if (inHost !== undefined) return `The host must not contain ${inHost}.`;
  const [found] = misplaced.exec(rest) ?? [];
  if (found !== undefined) {
    const code = found.charCodeAt(0).toString(16).toUpperCase();
    return `The url must not contain ${found} here. Percent-encode it as %${code}.`;
  }
  return brokenPercent.test(target + rest)
    ? 'Each % must be followed by two hexadecimal digits. Percent-encode % itself as %25.'
    : undefined;
}

/** Whether the parser made another host of it than one who takes it as it is written. */
function isRewritten(target: string, parsed: URL): boolean {
  const [, host = ''] = hostAndPort.exec(target) ?? [];
  if (host.startsWith('[')) return false;
  return host.includes('%') || (ascii.test(host) && host.toLowerCase() !== parsed.hostname);
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
