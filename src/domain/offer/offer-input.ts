import { parseRangeEnd } from '../commerce/date-range.js';
import { amountIssue, currencyIssues, isAmount } from '../commerce/money.js';
import { lineItemIssues, metadataIssues, type SaleInput } from '../commerce/sale-input.js';
import type { Issue } from '../errors.js';
import { emailIssues } from '../values/email.js';
import { singleLineIssues, textIssues } from '../values/text.js';

/** The input of a new offer; amounts are in minor units of `currency`. */
export interface OfferInput extends SaleInput {
  readonly recipientEmail: string;
  /** One line of 1 to 250 characters. */
  readonly title: string;
  /** At most 2,000 characters. */
  readonly message?: string | null | undefined;
  /** A date-time of RFC 3339, or a date for the end of that day in UTC. Defaults to 30 days from now. */
  readonly expiresAt?: string | null | undefined;
}

/** Fields of an offer, any of which may be absent. */
export type PartialOfferInput = {
  readonly [Name in keyof OfferInput]?: OfferInput[Name] | undefined;
};

const maxTitleLength = 250;
const maxMessageLength = 2_000;
const dayMs = 86_400_000;
const defaultLifetimeMs = 30 * dayMs;
const maxLifetimeMs = 365 * dayMs;

/** Validates the fields that are present and returns all problems; it does not report absent fields. */
export function offerIssues(input: PartialOfferInput, now: Date): Issue[] {
  const { recipientEmail, title, message, currency, lineItems, metadata, expiresAt } = input;
  const shipping = input.shippingMinorUnits ?? 0;
  return [
    ...(recipientEmail === undefined ? [] : emailIssues('recipient_email', recipientEmail)),
    ...(title === undefined
      ? []
      : singleLineIssues('title', title, { min: 1, max: maxTitleLength })),
    ...textIssues('message', message ?? '', { max: maxMessageLength }),
    ...(currency === undefined ? [] : currencyIssues('currency', currency, now)),
    ...(lineItems === undefined ? [] : lineItemIssues(lineItems)),
    ...(isAmount(shipping) ? [] : [amountIssue('shipping_minor_units')]),
    ...(metadata == null ? [] : metadataIssues(metadata)),
    ...(expiresAt == null || parseRangeEnd(expiresAt, 'to') ? [] : [dateIssue('expires_at')]),
  ];
}

/** Returns when an offer made at `now` expires; the input must be valid. */
export function expiryOf({ expiresAt }: Pick<OfferInput, 'expiresAt'>, now: Date): Date {
  const requested = expiresAt == null ? undefined : parseRangeEnd(expiresAt, 'to');
  return requested ?? new Date(now.getTime() + defaultLifetimeMs);
}

/** Validates an expiry: it must be after `now`, by at most 365 days. */
export function expiryIssues(param: string, expiresAt: Date, now: Date): Issue[] {
  const remainingMs = expiresAt.getTime() - now.getTime();
  if (remainingMs > 0 && remainingMs <= maxLifetimeMs) return [];
  const detail = 'Must be in the future, and at most 365 days ahead.';
  return [{ code: 'out_of_range', detail, param }];
}

function dateIssue(param: string): Issue {
  const detail = 'Must be a date or a date-time of RFC 3339 that exists, such as 2026-12-31.';
  return { code: 'invalid_format', detail, param };
}
