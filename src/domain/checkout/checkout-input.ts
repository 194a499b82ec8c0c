import type { LineItem } from '../commerce/line-item.js';
import { type AgreedAt, currencyIssues, isAmount } from '../commerce/money.js';
import { emailIssues } from '../email.js';
import type { Issue } from '../errors.js';
import { parseUrl } from '../parse-url.js';
import { jsonObjectIssues, textIssues } from '../text-issues.js';
import { maxSuccessUrlLength } from './thank-you-url.js';

/** The input of a new checkout; amounts are in minor units of `currency`. */
export interface CheckoutInput {
  /** At most 1,800 characters. */
  readonly successUrl: string;
  readonly cancelUrl?: string | null | undefined;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly lineItems: readonly LineItemInput[];
  readonly shippingMinorUnits?: number | null | undefined;
  readonly externalReference?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
  readonly buyerEmail?: string | null | undefined;
  readonly buyerEmailLocked?: boolean | null | undefined;
  /** The origin of the page that embeds the checkout, such as https://shop.example. */
  readonly embedOrigin?: string | null | undefined;
  readonly affiliate?: string | null | undefined;
}

/** The input of one line item. */
export interface LineItemInput {
  readonly name: string;
  /** Defaults to a new id. */
  readonly productId?: string | null | undefined;
  readonly quantity: number;
  readonly unitAmountMinorUnits: number;
  readonly discountMinorUnits?: number | null | undefined;
  readonly taxMinorUnits?: number | null | undefined;
  /** A decimal such as "19.00". Defaults to "0.00". */
  readonly taxPercentage?: string | null | undefined;
}

const maxMetadataBytes = 131_072;
const maxLineItems = 100;
const maxNameLength = 250;
const maxQuantity = 1_000_000;
/** Leaves room for the event around it, which may nest at most 64 levels. */
const maxMetadataDepth = 60;

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

/**
 * Makes a line item with all defaults, from an input that {@link checkoutIssues} accepts.
 * @param createProductId makes the id of a product that has none
 */
export function toLineItem(input: LineItemInput, createProductId: () => string): LineItem {
  const { name, quantity, unitAmountMinorUnits } = input;
  const discountMinorUnits = input.discountMinorUnits ?? 0;
  const taxMinorUnits = input.taxMinorUnits ?? 0;
  return {
    product: { id: input.productId ?? createProductId(), name },
    quantity,
    unitAmountMinorUnits,
    discountMinorUnits,
    taxMinorUnits,
    taxPercentage: input.taxPercentage ?? '0.00',
    totalMinorUnits: quantity * unitAmountMinorUnits - discountMinorUnits + taxMinorUnits,
  };
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

/** Validates metadata: a free map of JSON of limited size and depth. */
export function metadataIssues(metadata: Readonly<Record<string, unknown>>): Issue[] {
  const param = 'metadata';
  const issues = jsonObjectIssues(param, metadata, maxMetadataDepth);
  if (issues.length > 0) return issues;
  if (Buffer.byteLength(JSON.stringify(metadata)) <= maxMetadataBytes) return [];
  const detail = `Must have at most ${maxMetadataBytes.toLocaleString('en')} bytes of JSON.`;
  return [{ code: 'too_long', detail, param }];
}

/** Validates line items; each problem names its item, counted from 1. */
export function lineItemIssues(items: readonly LineItemInput[]): Issue[] {
  const param = 'line_items';
  if (items.length === 0) {
    return [{ code: 'too_few_items', detail: 'Must have at least 1 item.', param }];
  }
  if (items.length > maxLineItems) {
    return [{ code: 'out_of_range', detail: `Must have at most ${maxLineItems} items.`, param }];
  }
  return items.flatMap((item, index) => {
    const where = `Item ${index + 1}: `;
    return itemIssues(item).map(({ code, detail }) => ({ code, detail: where + detail, param }));
  });
}

function itemIssues(item: LineItemInput): Issue[] {
  const { quantity, unitAmountMinorUnits, productId, taxPercentage } = item;
  const discount = item.discountMinorUnits ?? 0;
  const issues = [...textIssues('name', item.name, { min: 1, max: maxNameLength })];
  if (productId != null && !/^prod_[A-Za-z0-9]{1,64}$/.test(productId)) {
    const detail = 'product_id must be prod_ followed by 1 to 64 letters or digits.';
    issues.push({ code: 'invalid_format', detail });
  }
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > maxQuantity) {
    const detail = `quantity must be an integer from 1 to ${maxQuantity.toLocaleString('en')}.`;
    issues.push({ code: 'out_of_range', detail });
  }
  if (!isAmount(unitAmountMinorUnits)) issues.push(amountIssue('unit_amount_minor_units'));
  if (!isAmount(discount)) issues.push(amountIssue('discount_minor_units'));
  if (!isAmount(item.taxMinorUnits ?? 0)) issues.push(amountIssue('tax_minor_units'));
  const amount = quantity * unitAmountMinorUnits;
  if (isAmount(discount) && amount >= 0 && discount > amount) {
    const detail = `discount_minor_units must be at most ${amount}, the quantity times the unit amount.`;
    issues.push({ code: 'out_of_range', detail });
  }
  if (taxPercentage != null && !/^\d{1,3}(?:\.\d{1,4})?$/.test(taxPercentage)) {
    const detail = 'tax_percentage must be a decimal such as 19.00.';
    issues.push({ code: 'invalid_format', detail });
  }
  return issues;
}

/** Returns the problem of an amount that is not an integer, is negative or is too large. */
export function amountIssue(param: string): Issue {
  const detail = `${param} must be an integer from 0 to 9007199254740991.`;
  return { code: 'out_of_range', detail, param };
}
