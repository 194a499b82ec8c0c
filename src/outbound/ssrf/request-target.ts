import type { RefusedReason } from '../../domain/delivery/outcome.js';
import type { EgressPolicy } from '../../domain/endpoint/egress-policy.js';
import { isBlockedLiteral } from '../../domain/endpoint/endpoint-url.js';
import { parseUrl } from '../../domain/parse-url.js';

/** The origin and path of a URL, or why it is refused. */
export type RequestTarget =
  | { readonly origin: string; readonly path: string }
  | { readonly refused: RefusedReason };

const maxCached = 1_000;

/**
 * Makes a parser of URLs that checks literal addresses. It caches results: the same few URLs recur,
 * and a check costs more than sending.
 */
export function createTargetParser(mayConnect: EgressPolicy): (url: string) => RequestTarget {
  const cache = new Map<string, RequestTarget>();
  return (url) => {
    const cached = cache.get(url);
    if (cached) return cached;
    const requestTarget = parseTarget(url, mayConnect);
    if (cache.size >= maxCached) cache.clear();
    cache.set(url, requestTarget);
    return requestTarget;
  };
}

function parseTarget(url: string, mayConnect: EgressPolicy): RequestTarget {
  const target = parseUrl(url);
  // Nothing listens on port 0. Endpoints stored before validation refused it may still have it.
  if (target?.protocol !== 'https:' || target.port === '0') return { refused: 'invalid_target' };
  if (isBlockedLiteral(target, mayConnect)) return { refused: 'blocked_destination' };
  return { origin: target.origin, path: pathOf(url, target) };
}

/**
 * The path and query as they are written. The parser drops an empty query and encodes apostrophes in
 * queries; receivers that sign or compare the path would see another one. If the parser repairs more, which
 * only URLs need that were stored before validation refused them, its result counts.
 */
function pathOf(url: string, { pathname, search }: URL): string {
  const [, rest = ''] = /^https:\/\/[^/?]+(.*)$/s.exec(url) ?? [];
  const written = percentEncoded(rest.startsWith('/') ? rest : `/${rest}`);
  const [path = '', ...queries] = written.split('?');
  const query = queries.join('?').replaceAll("'", '%27');
  const parsed = pathname + search;
  return parsed === (query === '' ? path : `${path}?${query}`) ? written : parsed;
}

function percentEncoded(text: string): string {
  return text.replace(/[^\0-\x7f]+/g, encodeURIComponent);
}
