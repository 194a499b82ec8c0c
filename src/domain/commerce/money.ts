import { entityOf } from '../entity.js';
import type { ErrorEntry } from '../errors.js';
import type { LineItem } from './line-item.js';
import { Totals } from './totals.entity.js';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The refusals of a currency: an ISO 4217 code in upper case, one that this Node knows. */
export function currencyFaults(param: string, currency: string): ErrorEntry[] {
  if (currencies.has(currency)) return [];
  const detail = 'Must be an ISO 4217 currency code in upper case.';
  return [{ code: 'invalid_value', detail, param }];
}

/** Whether a number can be an amount in minor units: a safe integer that is not negative. */
export function isAmount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Adds up positions and shipping.
 * @returns undefined when an amount leaves what JavaScript counts exactly
 */
export function totalsOf(
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
  const largest = subtotalMinorUnits + shippingMinorUnits + taxMinorUnits;
  if (!isAmount(totalMinorUnits) || !isAmount(largest)) return undefined;
  return entityOf(Totals, {
    currency,
    subtotalMinorUnits,
    discountMinorUnits,
    shippingMinorUnits,
    taxMinorUnits,
    totalMinorUnits,
  });
}
