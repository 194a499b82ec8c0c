import { entityOf } from '../entity-of.js';
import { Totals } from './totals.entity.js';

/**
 * What a partial refund takes of each amount that is left, in proportion and in whole minor units,
 * none more than is left: the shares of all refunds of a payment add up to what was billed.
 * @param remaining what earlier refunds left over
 * @param amount from 1 to `remaining.totalMinorUnits`
 */
export function prorate(remaining: Totals, amount: number): Totals {
  const itemsNet = remaining.subtotalMinorUnits - remaining.discountMinorUnits;
  const parts = [itemsNet, remaining.shippingMinorUnits, remaining.taxMinorUnits];
  const [itemsNetShare = 0, shipping = 0, tax = 0] = allocate(parts, amount);
  const discount =
    itemsNetShare === itemsNet
      ? remaining.discountMinorUnits
      : shareRoundedDown(remaining.discountMinorUnits, itemsNetShare, itemsNet);
  return entityOf(Totals, {
    currency: remaining.currency,
    subtotalMinorUnits: itemsNetShare + discount,
    discountMinorUnits: discount,
    shippingMinorUnits: shipping,
    taxMinorUnits: tax,
    totalMinorUnits: amount,
  });
}

/** Largest remainders: every part gets its share rounded down, the largest fractions one more. */
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

/** `part × amount / whole`, rounded down; in integers of any length, since the product may be. */
function shareRoundedDown(part: number, amount: number, total: number): number {
  return Number((BigInt(part) * BigInt(amount)) / BigInt(total));
}
