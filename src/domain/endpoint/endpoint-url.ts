import { isIP } from 'node:net';
import type { Issue, IssueCode } from '../errors.js';
import type { PrivateTargets } from '../values/private-targets.js';
import { parseUrl } from '../values/url.js';
import { createEgressPolicy, type EgressPolicy } from './egress-policy.js';

const maxUrlLength = 2_048;
const controlOrSpace = /[\p{Cc}\p{Z}\uFEFF]/u;
const loneSurrogate = /\p{Surrogate}/u;
/** The text between `https://` and the next delimiter, before the parser repairs anything. */
const authority = /^https:\/\/([^/\\?#]*)/;
/** Host and port of an authority without user information. */
const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s;
const port = /^[1-9]\d{0,4}$/;
/** ASCII that RFC 3986 allows in no name, path or query. RFC 3987 covers the rest. */
const forbiddenCharacter = /[^\w.~!$&'()*+,;=:@/?%\u0080-\u{10ffff}-]/u;
const brokenPercent = /%(?![\da-f]{2})/i;
/** A segment that parsers remove, so that the path is another than the one that was sent. */
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i;
const ascii = /^[\0-\x7f]*$/;

/**
 * Validates an endpoint's `url`. Returns at most one issue, for param `url`; none when the url may
 * be stored as sent. Refuses what another parser could read differently: a proxy, a log or a
 * receiver must see the host and path that are validated here. Checks hosts that are literal
 * addresses against the egress policy. Names are checked when a delivery connects: this asks no DNS.
 */
export function endpointUrlIssues(url: string, policy: PrivateTargets): Issue[] {
  // A code point takes one or two units. This check avoids spreading a huge string.
  if (url.length > 2 * maxUrlLength || Array.from(url).length > maxUrlLength) {
    return urlIssue('too_long', `The url must be at most ${maxUrlLength} characters.`);
  }

  if (url.includes('\0') || loneSurrogate.test(url)) {
    return urlIssue('invalid_value', 'The url must not contain NUL or a lone surrogate.');
  }

  const [start, authorityPart] = authority.exec(url) ?? [];
  if (start === undefined || authorityPart === undefined) {
    return urlIssue('invalid_format', 'The url must start with https://.');
  }

  const detail = syntaxProblem(authorityPart, url.slice(start.length));
  if (detail !== undefined) return urlIssue('invalid_format', detail);

  const parsed = parseUrl(url);
  if (!parsed) return urlIssue('invalid_format', 'The url is not a valid URL.');

  const [path = ''] = url.slice(start.length).split('?');
  if (dotSegment.test(path)) {
    return urlIssue('invalid_format', 'The path must not have . or .. between slashes.');
  }

  if (!isName(parsed.hostname)) {
    return urlIssue(
      'invalid_format',
      'The host must have at most 253 characters, and 1 to 63 between its dots.',
    );
  }

  const rewritten = rewritesHost(authorityPart, parsed);

  if (isBlockedLiteral(parsed, createEgressPolicy(policy))) {
    return urlIssue('invalid_value', 'The url must not point to a private or reserved address.');
  }

  if (rewritten && literalAddress(parsed) !== undefined) {
    return urlIssue(
      'invalid_value',
      `The address in the url must be written as ${parsed.hostname}.`,
    );
  }

  return rewritten ? urlIssue('invalid_format', 'The host must not be percent-encoded.') : [];
}

/** Returns why parsers could disagree about a url with this authority and rest. */
function syntaxProblem(authorityPart: string, rest: string): string | undefined {
  if (controlOrSpace.test(authorityPart + rest)) {
    return 'The url must not contain spaces or control characters.';
  }

  if (authorityPart === '') return 'The url must name a host.';
  if (authorityPart.includes('@')) return 'The url must not contain a user name or password.';
  if (rest.includes('#')) return 'The url must not have a fragment.';

  const [, host = '', digits] = hostAndPort.exec(authorityPart) ?? [];
  if (digits !== undefined && !port.test(digits)) {
    return 'The port must be a number from 1 to 65535 without leading zeros. Omit the colon for 443.';
  }

  const [forbiddenInHost] = host.startsWith('[') ? [] : (forbiddenCharacter.exec(host) ?? []);
  if (forbiddenInHost !== undefined) return `The host must not contain ${forbiddenInHost}.`;

  const [forbidden] = forbiddenCharacter.exec(rest) ?? [];
  if (forbidden !== undefined) {
    const code = forbidden.charCodeAt(0).toString(16).toUpperCase();
    return `The url must not contain ${forbidden} here. Percent-encode it as %${code}.`;
  }

  return brokenPercent.test(authorityPart + rest)
    ? 'Each % must be followed by two hexadecimal digits. Percent-encode % itself as %25.'
    : undefined;
}

/** Whether name servers can be asked for the host (RFC 1035 §2.3.4). It may end with one dot. */
function isName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every(({ length }) => length >= 1 && length <= 63);
}

/** Whether the parser changed the host that was written. */
function rewritesHost(authorityPart: string, parsed: URL): boolean {
  const [, host = ''] = hostAndPort.exec(authorityPart) ?? [];
  if (host.startsWith('[')) return false;
  return host.includes('%') || (ascii.test(host) && host.toLowerCase() !== parsed.hostname);
}

function urlIssue(code: IssueCode, detail: string): Issue[] {
  return [{ code, detail, param: 'url' }];
}

/** Returns the host of `url` without brackets if it is an IP address; undefined if it is a name. */
function literalAddress(url: URL): string | undefined {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return isIP(host) === 0 ? undefined : host;
}

/** Whether the host is an IP address, in any notation, that the egress policy blocks. */
export function isBlockedLiteral(url: URL, mayConnect: EgressPolicy): boolean {
  const host = literalAddress(url);
  return host !== undefined && !mayConnect(host);
}
