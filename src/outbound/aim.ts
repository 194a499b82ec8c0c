import type { RefusedReason } from '../domain/delivery/outcome.js';
import type { DialRule } from '../domain/endpoint/dial-rule.js';
import { literalRefused } from '../domain/endpoint/target.js';

/** Where a url leads: the origin to connect to and the path to ask for; or why nowhere. */
export type Aim =
  { readonly origin: string; readonly path: string } | { readonly refused: RefusedReason };

const mostRemembered = 1_000;

/**
 * Reads urls and judges their literal hosts. Remembers the last ones, because the same few urls are
 * posted to again and again and judging an address costs more than sending to it.
 */
export function createAim(mayDial: DialRule): (url: string) => Aim {
  const remembered = new Map<string, Aim>();
  return (url) => {
    const known = remembered.get(url);
    if (known) return known;
    const aim = aimAt(url, mayDial);
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(url, aim);
    return aim;
  };
}

function aimAt(url: string, mayDial: DialRule): Aim {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  // Nothing listens on port 0, which a url may have had before it was refused (H117).
  if (target?.protocol !== 'https:' || target.port === '0') return { refused: 'invalid_target' };
  if (literalRefused(target, mayDial)) return { refused: 'blocked_destination' };
  return { origin: target.origin, path: target.pathname + target.search };
}
