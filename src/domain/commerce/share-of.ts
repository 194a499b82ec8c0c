import { entityOf } from '../entity.js';
import { Totals } from './totals.entity.js';

/**
 * What a partial refund takes of each amount that is left, in proportion and in whole minor units,
 * none more than is left: the shares of all refunds of a payment add up to what was billed.
 * @param left what earlier refunds left over
 * @param amount from 1 to `left.totalMinorUnits`
 */
export function shareOf(left: Totals, amount: number): Totals {
  const goods = left.subtotalMinorUnits - left.discountMinorUnits;
  const parts = [goods, left.shippingMinorUnits, left.taxMinorUnits];
  const [goodsShare = 0, shipping = 0, tax = 0] = apportion(parts, amount);
  const discount =
    goodsShare === goods
      ? left.discountMinorUnits
      : floorShare(left.discountMinorUnits, goodsShare, goods);
  return entityOf(Totals, {
    currency: left.currency,
    subtotalMinorUnits: goodsShare + discount,
    discountMinorUnits: discount,
    shippingMinorUnits: shipping,
    taxMinorUnits: tax,
    totalMinorUnits: amount,
  });
}

/** Largest remainders: every part gets its share rounded down, the largest fractions one more. */
function apportion(parts: readonly number[], amount: number): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const shares = parts.map((part) => floorShare(part, amount, whole));
  const fractions = parts.map((part, index) => ({
    index,
    fraction: (BigInt(part) * BigInt(amount)) % BigInt(whole),
  }));
  fractions.sort((one, other) => Number(other.fraction - one.fraction) || one.index - other.index);
  let missing = amount - shares.reduce((sum, share) => sum + share, 0);
  for (const { index } of fractions) {
    if (missing === 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    missing -= 1;
  }
  return shares;
}

/** `part × amount / whole`, rounded down; in integers of any length, since the product may be. */
function floorShare(part: number, amount: number, whole: number): number {
  return Number((BigInt(part) * BigInt(amount)) / BigInt(whole));
}
