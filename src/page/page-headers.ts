import { createHash } from 'node:crypto';
import { style } from './style.js';

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** What a page is framed by and leads to. */
export interface PagePolicy {
  /** The only origin whose pages may frame it; null for none. */
  readonly frameAncestor: string | null;
  /** Where its form leads in the end; null when it has none. */
  readonly formTarget: string | null;
}

/**
 * Headers of every page that people see: no scripts, nothing loaded, no frame but the one that is
 * named, no address told to other sites, nothing kept or indexed.
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
    // Not no-referrer: it would blank the Origin header, by which a foreign form is told.
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(frameAncestor === null && { 'X-Frame-Options': 'DENY' }),
  };
}

/**
 * Browsers follow a form's redirect only to what form-action names, and so each further one: a
 * shop that redirects from one of its hosts to another must not lose its buyer. So the scheme.
 */
function formTargets(formTarget: string | null): string {
  if (formTarget === null) return "'none'";
  return formTarget.startsWith('https:') ? "'self' https:" : "'self' https: http:";
}
