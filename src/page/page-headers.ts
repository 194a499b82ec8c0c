import { createHash } from 'node:crypto';
import { style } from './style.js';

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Which pages may frame a page, and where its form leads. */
export interface PagePolicy {
  /** The only origin that may frame the page; null for none. */
  readonly frameAncestor: string | null;
  /** The final URL of its form; null without a form. */
  readonly formTarget: string | null;
}

/**
 * Headers of every HTML page. The page runs no script and loads nothing. Only `frameAncestor` may
 * frame it. Other sites do not learn its URL. It is not cached or indexed.
 */
export function pageHeaders({ frameAncestor, formTarget }: PagePolicy): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    `form-action ${formTargets(formTarget)}`,
    "base-uri 'none'",
    `frame-ancestors ${frameAncestor ?? "'none'"}`,
  ];

  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    // Not no-referrer: it would blank the Origin header, which identifies a form from another site.
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(frameAncestor === null && { 'X-Frame-Options': 'DENY' }),
  };
}

/**
 * Browsers apply form-action to every redirect of a form. A shop may redirect between its own
 * hosts, so the policy allows the scheme and not one host.
 */
function formTargets(formTarget: string | null): string {
  if (formTarget === null) return "'none'";
  return formTarget.startsWith('https:') ? "'self' https:" : "'self' https: http:";
}
