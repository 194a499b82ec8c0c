import { entityOf, Check, Column } from '../transaction/typeorm.js';
import { isAmount } from './money.js';

/** One product of a checkout, offer or order, with its quantity and its amounts in minor units. */
export interface LineItem {
  readonly product: { readonly id: string; readonly name: string };
  readonly quantity: number;
  readonly unitAmountMinorUnits: number;
  /** For the whole line item. */
  readonly discountMinorUnits: number;
  /** For the whole line item, added to its amount. */
  readonly taxMinorUnits: number;
  /** A decimal such as "19.00". */
  readonly taxPercentage: string;
  /** `quantity × unit amount - discount + tax`. */
  readonly totalMinorUnits: number;
}

/** The person who pays. */
export interface Buyer {
  readonly email: string;
  readonly name: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
}

/** Amounts in minor units of one currency; `total = subtotal - discount + shipping + tax`. */
export class Totals {
  /** ISO 4217, upper case. */
  @Column('text')
  currency!: string;

  @Column('bigint')
  subtotalMinorUnits!: number;

  @Column('bigint')
  discountMinorUnits!: number;

  @Column('bigint')
  shippingMinorUnits!: number;

  @Column('bigint')
  taxMinorUnits!: number;

  @Column('bigint')
  totalMinorUnits!: number;
}

/** Adds the constraints that every table with {@link Totals} has, under the table's names. */
export function TotalsChecks(table: string): ClassDecorator {
  return (target) => {
    for (const amount of ['subtotal', 'discount', 'shipping', 'tax', 'total']) {
      const column = `${amount}_minor_units`;
      Check(`${table}_${column}_check`, `${column} >= 0`)(target);
    }
    Check(`${table}_currency_check`, `currency ~ '^[A-Z]{3}$'`)(target);
    Check(
      `${table}_totals_check`,
      'total_minor_units = subtotal_minor_units - discount_minor_units + shipping_minor_units + tax_minor_units',
    )(target);
  };
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

/**
 * Prorates a partial refund over the remaining amounts, in whole minor units and never more than remains.
 * The parts of all refunds of a payment add up to the totals of its invoice.
 * @param remaining the totals of the invoice without earlier refunds
 * @param amount from 1 to `remaining.totalMinorUnits`
 */
export function prorate(remaining: Totals, amount: number): Totals {
  const itemsNet = remaining.subtotalMinorUnits - remaining.discountMinorUnits;
  const parts = [itemsNet, remaining.shippingMinorUnits, remaining.taxMinorUnits];
  const [itemsNetShare = 0, shipping = 0, tax = 0] = allocate(parts, amount);

  // By the amount and not by the share of the items, of which a discount may leave little or nothing.
  const discount = nearestShare(remaining.discountMinorUnits, amount, remaining.totalMinorUnits);
  return entityOf(Totals, {
    currency: remaining.currency,
    subtotalMinorUnits: itemsNetShare + discount,
    discountMinorUnits: discount,
    shippingMinorUnits: shipping,
    taxMinorUnits: tax,
    totalMinorUnits: amount,
  });
}

/** Method of largest remainders: rounds each share down, then adds 1 to those with the largest fractions. */
function allocate(parts: readonly number[], amount: number): number[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  const shares = parts.map((part) => shareRoundedDown(part, amount, total));
  const fractions = parts.map((part, index) => ({
    index,
    fraction: (BigInt(part) * BigInt(amount)) % BigInt(total),
  }));

  fractions.sort((one, other) => Number(other.fraction - one.fraction) || one.index - other.index);

  let remainder = amount - shares.reduce((sum, share) => sum + share, 0);

  for (const { index } of fractions) {
    if (remainder === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    remainder -= 1;
  }

  return shares;
}

/** Returns `part × amount / total`, rounded down. It uses BigInt, because the product may not be safe. */
function shareRoundedDown(part: number, amount: number, total: number): number {
  return Number((BigInt(part) * BigInt(amount)) / BigInt(total));
}

/** Returns `part × amount / total`, rounded to the nearest. */
function nearestShare(part: number, amount: number, total: number): number {
  const twice = 2n * BigInt(total);
  return Number((2n * BigInt(part) * BigInt(amount) + BigInt(total)) / twice);
}
