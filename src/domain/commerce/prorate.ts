import { entityOf } from '../entity-of.js';
import { Totals } from './totals.entity.js';

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
