import { type AgreedAt, amountIssue, currencyIssues, isAmount } from '../commerce/money.js';
import { lineItemIssues, metadataIssues, type SaleInput } from '../commerce/sale-input.js';
import type { Issue } from '../errors.js';
import { emailIssues } from '../values/email.js';
import { textIssues } from '../values/text.js';
import { parseUrl } from '../values/url.js';
import { maxSuccessUrlLength } from './thank-you-url.js';

/** The input of a new checkout; amounts are in minor units of `currency`. */
export interface CheckoutInput extends SaleInput {
  /** At most 1,800 characters. */
  readonly successUrl: string;
  readonly cancelUrl?: string | null | undefined;
  readonly externalReference?: string | null | undefined;
  readonly buyerEmail?: string | null | undefined;
  readonly buyerEmailLocked?: boolean | null | undefined;
  /** The origin of the page that embeds the checkout, such as https://shop.example. */
  readonly embedOrigin?: string | null | undefined;
  readonly affiliate?: string | null | undefined;
}

/** Validates a checkout and returns all problems; priceLineItems finds sums that are too large. */
export function checkoutIssues(input: CheckoutInput, agreedAt: AgreedAt): Issue[] {
  const { cancelUrl, externalReference, buyerEmail, embedOrigin, affiliate, metadata } = input;
  const shipping = input.shippingMinorUnits ?? 0;
  return [
    ...urlIssues('success_url', input.successUrl, maxSuccessUrlLength),
    ...(cancelUrl ? urlIssues('cancel_url', cancelUrl, 2_048) : []),
    ...currencyIssues('currency', input.currency, agreedAt),
    ...lineItemIssues(input.lineItems),
    ...(isAmount(shipping) ? [] : [amountIssue('shipping_minor_units')]),
    ...textIssues('external_reference', externalReference ?? '', { max: 255 }),
    ...(metadata == null ? [] : metadataIssues(metadata)),
    ...(buyerEmail == null ? [] : emailIssues('buyer_email', buyerEmail)),
    ...(embedOrigin == null ? [] : originIssues('embed_origin', embedOrigin)),
    ...(affiliate == null ? [] : affiliateIssues(affiliate)),
  ];
}

function urlIssues(param: string, url: string, max: number): Issue[] {
  const issues = textIssues(param, url, { max });
  if (issues.length > 0) return issues;
  if (/^https?:\/\/[\x21-\x7e]+$/.test(url) && parseUrl(url)) return [];
  const detail = 'Must be an http or https URL without spaces, percent-encoded where needed.';
  return [{ code: 'invalid_format', detail, param }];
}

function originIssues(param: string, origin: string): Issue[] {
  const issues = urlIssues(param, origin, 255);
  if (issues.length > 0 || isPlainOrigin(origin)) return issues;
  const detail = 'Must be an origin such as https://shop.example.';
  return [{ code: 'invalid_format', detail, param }];
}

/**
 * Says whether an origin has a plain host name or an IPv4 address. Content-Security-Policy names the
 * origin, and URLs may hold characters that mean something else there:
 * - a semicolon ends the directive;
 * - an asterisk means every host;
 * - brackets are not allowed.
 */
function isPlainOrigin(origin: string): boolean {
  return /^https?:\/\/[a-z0-9.:_-]+$/.test(origin) && new URL(origin).origin === origin;
}

/** Says whether a text can be an affiliate's code: unreserved characters, which fit every thank-you URL. */
export function isAffiliate(text: string): boolean {
  return /^[A-Za-z0-9._~-]{1,64}$/.test(text);
}

function affiliateIssues(affiliate: string): Issue[] {
  if (isAffiliate(affiliate)) return [];
  const detail = 'Must be 1 to 64 letters, digits, dots, underscores, tildes or hyphens.';
  return [{ code: 'invalid_format', detail, param: 'affiliate' }];
}
