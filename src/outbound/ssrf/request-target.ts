import type { RefusedReason } from '../../domain/delivery/rules/outcome.js';
import type { EgressPolicy } from '../../domain/endpoint/egress-policy.js';
import { isBlockedLiteral } from '../../domain/endpoint/endpoint-url.js';

/** Where a url leads: the origin to connect to and the path to ask for; or why nowhere. */
export type RequestTarget =
  { readonly origin: string; readonly path: string } | { readonly refused: RefusedReason };

const maxCached = 1_000;

/**
 * Reads urls and judges their literal hosts. Remembers the last ones, because the same few urls are
 * posted to again and again and judging an address costs more than sending to it.
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
  const target = URL.canParse(url) ? new URL(url) : undefined;
  // Nothing listens on port 0, which a url may have had before it was refused (H117).
  if (target?.protocol !== 'https:' || target.port === '0') return { refused: 'invalid_target' };
  if (isBlockedLiteral(target, mayConnect)) return { refused: 'blocked_destination' };
  return { origin: target.origin, path: target.pathname + target.search };
}
