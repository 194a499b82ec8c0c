import { lineItemOf } from '../domain/checkout/checkout-input.js';
import type { Buyer, LineItem } from '../domain/commerce/line-item.js';
import { totalsOf } from '../domain/commerce/money.js';
import type { RefundReason } from '../domain/commerce/refund.entity.js';
import type { Totals } from '../domain/commerce/totals.entity.js';
import type { Chance } from './chance.js';
import {
  affiliates,
  campaigns,
  familyNames,
  givenNames,
  goods,
  type Market,
  markets,
  methods,
} from './goods.js';

/** What somebody puts into a cart; whether it is paid is another matter. */
export interface Cart {
  readonly buyer: Buyer;
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
  readonly affiliate: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Money that goes back to the buyer. */
export interface GivenBack {
  readonly amountMinorUnits: number;
  readonly reason: RefundReason | null;
  readonly note: string | null;
  /** How many orders later. */
  readonly ordersLater: number;
}

/** A cart that is paid, and what becomes of the payment. */
export interface Purchase extends Cart {
  readonly method: string;
  /** What the payment costs the account; never more than it brings. */
  readonly feeMinorUnits: number;
  readonly chargedBack: boolean;
  /** Together never more than was paid; in the order of time. */
  readonly refunds: readonly GivenBack[];
}

/** Fills a cart; amounts add up and are at least 1. */
export function cartOf(chance: Chance): Cart {
  const market = chance.oneOf(markets);
  const lineItems = Array.from({ length: chance.whole(1, 3) }, () => itemOf(chance, market));
  const shipping = chance.happens(0.6) ? market.shipping : 0;
  const totals = totalsOf(market.currency, lineItems, shipping);
  if (!totals) throw new Error('the price list holds amounts that cannot be added up');
  return {
    buyer: buyerOf(chance, market),
    lineItems,
    totals,
    affiliate: chance.happens(0.1) ? chance.oneOf(affiliates) : null,
    metadata: {
      cart: String(chance.whole(100_000, 999_999)),
      ...(chance.happens(0.4) && { campaign: chance.oneOf(campaigns) }),
    },
  };
}

/** Fills a cart and decides how it is paid and what goes back. */
export function purchaseOf(chance: Chance): Purchase {
  const cart = cartOf(chance);
  const { totalMinorUnits } = cart.totals;
  const chargedBack = chance.happens(0.004);
  return {
    ...cart,
    method: chance.oneOf(methods),
    feeMinorUnits: Math.min(totalMinorUnits, Math.round(totalMinorUnits * 0.029) + 25),
    chargedBack,
    refunds: !chargedBack && chance.happens(0.06) ? refundsOf(chance, totalMinorUnits) : [],
  };
}

function itemOf(chance: Chance, { priceFactor, taxRate }: Market): LineItem {
  const { id, name, price } = chance.oneOf(goods);
  const quantity = chance.oneOf([1, 1, 1, 2, 3]);
  const unitAmountMinorUnits = Math.round(price * priceFactor);
  const amount = quantity * unitAmountMinorUnits;
  const discountMinorUnits = chance.happens(0.15) ? Math.round(amount * 0.1) : 0;
  const taxMinorUnits = Math.round(((amount - discountMinorUnits) * taxRate) / 10_000);
  const taxPercentage = (taxRate / 100).toFixed(2);
  return lineItemOf(
    {
      ...{ name, productId: id, quantity, unitAmountMinorUnits },
      ...{ discountMinorUnits, taxMinorUnits, taxPercentage },
    },
    () => id,
  );
}

function buyerOf(chance: Chance, { country }: Market): Buyer {
  const [given, family] = [chance.oneOf(givenNames), chance.oneOf(familyNames)];
  const plain = `${given}.${family}`.normalize('NFKD').replace(/[^A-Za-z.]/g, '');
  const email = `${plain.toLowerCase()}${chance.whole(1, 400)}@buyers.example`;
  return { email, name: `${given} ${family}`, country };
}

function refundsOf(chance: Chance, paid: number): GivenBack[] {
  const refund = (amountMinorUnits: number, ordersLater: number): GivenBack => ({
    amountMinorUnits,
    reason: chance.oneOf(['requested_by_customer', 'requested_by_customer', 'duplicate', 'other']),
    note: chance.happens(0.3) ? 'Agreed on the phone.' : null,
    ordersLater,
  });
  const later = chance.whole(1, 150);
  if (paid < 2 || chance.happens(0.5)) return [refund(paid, later)];
  const first = chance.whole(1, paid - 1);
  const refunds = [refund(first, later)];
  if (chance.happens(0.3)) refunds.push(refund(paid - first, later + chance.whole(0, 100)));
  return refunds;
}
