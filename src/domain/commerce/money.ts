import { data } from 'currency-codes';
import { entityOf } from '../entity-of.js';
import type { Issue } from '../errors.js';
import type { LineItem } from './line-item.js';
import { Totals } from './totals.entity.js';

/** ISO 4217 also has codes for metals, for units of account and for no currency at all. */
const nonCurrencies = /^X(?:AG|AU|B[A-D]|DR|P[DT]|SU|TS|UA|XX)$/;

/** How many decimals the minor unit of each currency is below its major one. */
const exponents: ReadonlyMap<string, number> = new Map(
  data.filter(({ code }) => !nonCurrencies.test(code)).map(({ code, digits }) => [code, digits]),
);

/** The refusals of a currency: a code of ISO 4217 that money has, in upper case. */
export function currencyIssues(param: string, currency: string): Issue[] {
  if (exponents.has(currency)) return [];
  const detail = 'Must be an ISO 4217 currency code in upper case.';
  return [{ code: 'invalid_value', detail, param }];
}

/**
 * An amount as a decimal in the currency's major unit, with as many places as its minor unit has:
 * `1234` is "12.34" in EUR, "1234" in JPY and "1.234" in KWD. No digit is rounded.
 */
export function toDecimal(currency: string, minorUnits: number): string {
  const decimals = exponents.get(currency) ?? 2;
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = minorUnits < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}

/** Whether a number can be an amount in minor units: a safe integer that is not negative. */
export function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Adds up positions and shipping.
 * @returns undefined when an amount leaves what JavaScript counts exactly
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
  // Before the discount is taken off, so that no step on the way was rounded.
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
