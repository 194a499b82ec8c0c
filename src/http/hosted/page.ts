// What the pages of checkouts and offers share: headers, forms, errors as pages, and the list of items.
//
// Buyers and recipients have no credential: the URL is the secret. So a page runs no script, loads nothing, tells no other
// site its URL, and is neither cached nor indexed. A GET changes nothing that costs money, and a form counts only when
// the page itself sent it.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { formatAmount } from '../../domain/commerce/money.js';
import { parseUrl } from '../../domain/values/url.js';
import type { HostedCheckout } from '../../domain/checkout/hosted-checkout.js';
import type { Read, Transact } from '../../domain/transaction/tx.js';
import { readRawBody } from '../bodies.js';
import { ApiError, type Problem, type AnyProblemCode } from '../problems.js';
import type { RateLimits } from '../rate-limits.js';
import { renderPage, renderPart, style } from './templates.js';

/** Dependencies of the checkout and offer pages. */
export interface PageOptions {
  readonly read: Read;
  readonly transact: Transact;
  readonly limits: RateLimits;
  /** The base URL of the service, without a trailing slash. */
  readonly origin: string;
  /** Returns the client's address as the trusted proxies report it. */
  readonly addressOf: (request: IncomingMessage) => string;
}

const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** Which pages may frame a page, and where its form leads. */
interface PagePolicy {
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

/** A page ready to send. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The body of a redirect; visible only in clients that do not follow it. */
export function redirectPage(title: string, location: string): Page {
  const body = renderPart('moved', { title, location });
  const headers = pageHeaders({ frameAncestor: null, formTarget: null });
  const text = renderPage({ title, seller: 'Checkout', body });
  return { status: 303, headers: { ...headers, Location: location }, text };
}

/** An error page. */
function errorPage(title: string, text: string): Pick<Page, 'headers' | 'text'> {
  const body = renderPart('refusal', { title, text });
  const headers = pageHeaders({ frameAncestor: null, formTarget: null });
  return { headers, text: renderPage({ title, seller: 'Checkout', body }) };
}

/** The values of the template part `summary`. */
export function summaryOf({
  lineItems,
  totals,
}: Pick<HostedCheckout, 'lineItems' | 'totals'>): object {
  const formatted = (minorUnits: number) => formatAmount(minorUnits, totals.currency);
  const unlessZero = (label: string, minorUnits: number) =>
    minorUnits === 0 ? [] : [{ label, amount: formatted(minorUnits) }];

  return {
    items: lineItems.map(({ product, quantity, unitAmountMinorUnits }) => ({
      name: product.name,
      quantity: quantity.toLocaleString('en'),
      unit: formatted(unitAmountMinorUnits),
      amount: formatted(quantity * unitAmountMinorUnits),
    })),
    totals: [
      { label: 'Subtotal', amount: formatted(totals.subtotalMinorUnits) },
      ...unlessZero('Discount', -totals.discountMinorUnits),
      ...unlessZero('Shipping', totals.shippingMinorUnits),
      ...unlessZero('Tax', totals.taxMinorUnits),
      {
        label: `Total (${totals.currency})`,
        amount: formatted(totals.totalMinorUnits),
        total: true,
      },
    ],
  };
}

/** Many times the size of an e-mail address and a name, percent-encoded. */
const maxFormBytes = 16_384;
const formType = 'application/x-www-form-urlencoded';

/**
 * Refuses a form that another site sent. There is no cookie to abuse, but a buyer must pay on this
 * page only. Clients other than browsers send no such header and pass.
 * @throws ApiError forbidden
 */
export function rejectCrossSiteForm({ headers }: IncomingMessage, origin: string): void {
  const site = headers['sec-fetch-site'];
  const sameOrigin =
    site === undefined ? isSameOrigin(headers, origin) : site === 'same-origin' || site === 'none';
  if (!sameOrigin)
    throw new ApiError(
      'forbidden',
      'The form came from another site. Open the page itself and send it from there.',
    );
}

function isSameOrigin({ origin, host }: IncomingMessage['headers'], ownOrigin: string): boolean {
  if (origin === undefined || origin === new URL(ownOrigin).origin) return true;
  const url = parseUrl(origin);
  return url !== undefined && url.host === host;
}

/**
 * Reads a form as browsers send it.
 * @throws ApiError unsupported_media_type, payload_too_large
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  const [mediaType = ''] = type.split(';', 1);
  if (encoding !== undefined) {
    const headers = { Accept: formType, 'Accept-Encoding': 'identity' };
    const detail = 'Send the form uncompressed, without Content-Encoding.';
    throw new ApiError('unsupported_media_type', detail, { headers });
  }
  if (mediaType.trim().toLowerCase() !== formType) {
    const headers = { Accept: formType };
    throw new ApiError('unsupported_media_type', `Send the form as ${formType}.`, { headers });
  }
  return new URLSearchParams((await readRawBody(request, maxFormBytes)).toString('utf8'));
}

/** Next steps for a buyer, in plain words. Status and code stay those of the Problem. */
const messagesByCode: Partial<Record<AnyProblemCode, readonly [title: string, text: string]>> = {
  not_found: [
    'Page not found',
    'There is no checkout and no offer at this address. Check that the address is complete.',
  ],
  forbidden: ['Form not accepted', 'Open the page itself and continue there.'],
  rate_limit_exceeded: ['Too many requests', 'Wait a minute, then reload the page.'],
  service_unavailable: [
    'Temporarily unavailable',
    'Try again in a few seconds. You will not pay twice.',
  ],
  internal_error: ['Something went wrong', 'This is our error. Try again; you will not pay twice.'],
};
const defaultMessage = ['Request refused', 'Open the checkout again.'] as const;

/** Renders a Problem as a page; keeps its headers, such as `Retry-After` and `Allow`. */
export function renderErrorPage({ code, headers }: Problem): Pick<Problem, 'headers' | 'text'> {
  const [title, text] = messagesByCode[code] ?? defaultMessage;
  const page = errorPage(title, text);
  return { headers: { ...headers, ...page.headers }, text: page.text };
}
