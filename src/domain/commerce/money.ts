import { data } from 'currency-codes';
import { entityOf } from '../entity-of.js';
import type { Issue } from '../errors.js';
import type { LineItem } from './line-item.js';
import { Totals } from './totals.entity.js';

/** Codes of ISO 4217 for metals, for units of account and for no currency at all. */
const nonCurrencies = /^X(?:AG|AU|B[A-D]|DR|P[DT]|SU|TS|UA|XX)$/;

/** The number of decimal places of each currency. */
const exponents: ReadonlyMap<string, number> = new Map(
  data.filter(({ code }) => !nonCurrencies.test(code)).map(({ code, digits }) => [code, digits]),
);

/** Validates a currency: a code of ISO 4217 for money, in upper case. */
export function currencyIssues(param: string, currency: string): Issue[] {
  if (exponents.has(currency)) return [];
  const detail = 'Must be an ISO 4217 currency code in upper case.';
  return [{ code: 'invalid_value', detail, param }];
}

/**
 * Formats an amount as a decimal in the currency's major unit, with all decimal places of the currency:
 * `1234` is "12.34" in EUR, "1234" in JPY and "1.234" in KWD. It rounds no digit.
 */
export function toDecimal(currency: string, minorUnits: number): string {
  const decimals = exponents.get(currency) ?? 2;
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
