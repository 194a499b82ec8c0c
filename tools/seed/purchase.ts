import {
  type Buyer,
  type LineItem,
  sumTotals,
  type Totals,
} from '../../src/domain/commerce/line-items.js';
import { toLineItem } from '../../src/domain/commerce/sale-input.js';
import type { RefundReason } from '../../src/domain/payment/refund.entity.js';
import type { Random } from './random.js';
import {
  affiliates,
  campaigns,
  familyNames,
  givenNames,
  products,
  type Market,
  markets,
  methods,
} from './products.js';

/** The contents of a cart, paid or not. */
export interface Cart {
  readonly buyer: Buyer;
  readonly lineItems: readonly LineItem[];
  readonly totals: Totals;
  readonly affiliate: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface PlannedRefund {
  readonly amountMinorUnits: number;
  readonly reason: RefundReason | null;
  readonly note: string | null;
  /** The number of orders between the payment and this refund. */
  readonly ordersLater: number;
}

/** A cart that is paid, with its fee and its refunds. */
export interface Purchase extends Cart {
  readonly method: string;
  /** At most the amount of the payment. */
  readonly feeMinorUnits: number;
  readonly chargedBack: boolean;
  /** In order of time; their sum is at most the amount of the payment. */
  readonly refunds: readonly PlannedRefund[];
}

/** Fills a cart. Its amounts add up, and the total is at least 1. */
export function cartOf(random: Random): Cart {
  const market = random.pick(markets);
  const lineItems = Array.from({ length: random.integer(1, 3) }, () => itemOf(random, market));
  const shipping = random.boolean(0.6) ? market.shipping : 0;
  const totals = sumTotals(market.currency, lineItems, shipping);
  if (!totals) throw new Error('The amounts of the price list cannot be added up.');
  return {
    buyer: buyerOf(random, market),
    lineItems,
    totals,
    affiliate: random.boolean(0.1) ? random.pick(affiliates) : null,
    metadata: {
      cart: String(random.integer(100_000, 999_999)),
      ...(random.boolean(0.4) && { campaign: random.pick(campaigns) }),
    },
  };
}

/** Fills a cart and decides on its payment and refunds. */
export function purchaseOf(random: Random): Purchase {
  const cart = cartOf(random);
  const { totalMinorUnits } = cart.totals;
  const chargedBack = random.boolean(0.004);
  return {
    ...cart,
    method: random.pick(methods),
    feeMinorUnits: Math.min(totalMinorUnits, Math.round(totalMinorUnits * 0.029) + 25),
    chargedBack,
    refunds: !chargedBack && random.boolean(0.06) ? refundsOf(random, totalMinorUnits) : [],
  };
}

function itemOf(random: Random, { priceFactor, taxRate }: Market): LineItem {
  const { id, name, price } = random.pick(products);
  const quantity = random.pick([1, 1, 1, 2, 3]);
  const unitAmountMinorUnits = Math.round(price * priceFactor);
  const amount = quantity * unitAmountMinorUnits;
  const discountMinorUnits = random.boolean(0.15) ? Math.round(amount * 0.1) : 0;
  const taxMinorUnits = Math.round(((amount - discountMinorUnits) * taxRate) / 10_000);
  const taxPercentage = (taxRate / 100).toFixed(2);
  return toLineItem(
    {
      name,
      productId: id,
      quantity,
      unitAmountMinorUnits,
      discountMinorUnits,
      taxMinorUnits,
      taxPercentage,
    },
    () => id,
  );
}

function buyerOf(random: Random, { country }: Market): Buyer {
  const givenName = random.pick(givenNames);
  const familyName = random.pick(familyNames);
  const plain = `${givenName}.${familyName}`.normalize('NFKD').replace(/[^A-Za-z.]/g, '');
  const email = `${plain.toLowerCase()}${random.integer(1, 400)}@buyers.example`;
  return { email, name: `${givenName} ${familyName}`, country };
}

function refundsOf(random: Random, paid: number): PlannedRefund[] {
  const refund = (amountMinorUnits: number, ordersLater: number): PlannedRefund => ({
    amountMinorUnits,
    reason: random.pick(['requested_by_customer', 'requested_by_customer', 'duplicate', 'other']),
    note: random.boolean(0.3) ? 'Agreed on the phone.' : null,
    ordersLater,
  });
  const later = random.integer(1, 150);
  if (paid < 2 || random.boolean(0.5)) return [refund(paid, later)];
  const first = random.integer(1, paid - 1);
  const refunds = [refund(first, later)];
  if (random.boolean(0.3)) refunds.push(refund(paid - first, later + random.integer(0, 100)));
  return refunds;
}
