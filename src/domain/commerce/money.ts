import { data } from 'currency-codes';
import { entityOf } from '../entity-of.js';
import type { Issue } from '../errors.js';
import type { LineItem } from './line-item.js';
import { Totals } from './totals.entity.js';

/** Codes of ISO 4217 for metals, for units of account and for no currency at all. */
const nonCurrencies = /^X(?:AD|AG|AU|B[A-D]|DR|P[DT]|SU|TS|UA|XX)$/;

interface Currency {
  readonly code: string;
  /** The number of decimal places. */
  readonly digits: number;
  /** The first day of its use, in UTC. Defaults to long ago. */
  readonly from?: string;
  /** The day of its withdrawal. Defaults to none. */
  readonly until?: string;
}

/**
 * What ISO 4217 changed after the list of currency-codes was published, by its amendments 176 to 180. A
 * withdrawn currency stays here, because stored amounts keep their decimals.
 */
const amendments: readonly Currency[] = [
  { code: 'ANG', digits: 2, until: '2025-03-31' },
  { code: 'BGN', digits: 2, until: '2026-01-01' },
  { code: 'CUC', digits: 2, until: '2021-01-01' },
  { code: 'XCG', digits: 2, from: '2025-03-31' },
];

const listed: readonly Currency[] = data.filter(({ code }) => !nonCurrencies.test(code));
const currencies: ReadonlyMap<string, Currency> = new Map(
  [...listed, ...amendments].map((currency) => [currency.code, currency]),
);

/** When a sale is agreed on; one that was offered before keeps its currency. */
export type AgreedAt = Date | 'offered before';

/** Validates a currency: a code of ISO 4217 for money, in upper case, that is in use. */
export function currencyIssues(param: string, currency: string, agreedAt: AgreedAt): Issue[] {
  const reason = whyNotCurrent(currency, agreedAt);
  return reason === undefined ? [] : [{ code: 'invalid_value', detail: reason, param }];
}

function whyNotCurrent(code: string, agreedAt: AgreedAt): string | undefined {
  const currency = currencies.get(code);
  if (!currency) return 'Must be an ISO 4217 currency code in upper case.';
  if (agreedAt === 'offered before') return undefined;

  const { from, until } = currency;
  const day = agreedAt.toISOString().slice(0, 10);
  if (from !== undefined && day < from) return `${code} is in use from ${from} on (ISO 4217).`;
  if (until !== undefined && day >= until) return `${code} was withdrawn on ${until} (ISO 4217).`;
  return undefined;
}

/**
 * Formats an amount as a decimal in the currency's major unit, with all decimal places of the currency:
 * `1234` is "12.34" in EUR, "1234" in JPY and "1.234" in KWD. It rounds no digit.
 */
export function toDecimal(currency: string, minorUnits: number): string {
  const decimals = currencies.get(currency)?.digits ?? 2;
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = minorUnits < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** Says whether a number can be an amount in minor units: a safe integer of at least 0. */
export function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Adds up line items and shipping.
 * @returns undefined when a sum is not a safe integer, or is negative
 */
export function sumTotals(
  currency: string,
  items: readonly LineItem[],
  shippingMinorUnits: number,
): Totals | undefined {
  const sum = (amountOf: (item: LineItem) => number) =>
    items.reduce((total, item) => total + amountOf(item), 0);
  const subtotalMinorUnits = sum((item) => item.quantity * item.unitAmountMinorUnits);
  const discountMinorUnits = sum((item) => item.discountMinorUnits);
  const taxMinorUnits = sum((item) => item.taxMinorUnits);
  const totalMinorUnits =
    subtotalMinorUnits - discountMinorUnits + shippingMinorUnits + taxMinorUnits;
  // The largest intermediate sum, before the discount: if it is safe, no step has rounded.
  const gross = subtotalMinorUnits + shippingMinorUnits + taxMinorUnits;
  if (!isAmount(totalMinorUnits) || !isAmount(gross)) return undefined;
  return entityOf(Totals, {
    currency,
    subtotalMinorUnits,
    discountMinorUnits,
    shippingMinorUnits,
    taxMinorUnits,
    totalMinorUnits,
  });
}
