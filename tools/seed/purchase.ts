import {
  type Buyer,
  type LineItem,
  sumTotals,
  type Totals,
} from '../../src/domain/commerce/line-items.js';
import { toLineItem } from '../../src/domain/commerce/sale-input.js';
import type { RefundReason } from '../../src/domain/payment/ledger.entity.js';
import type { Random } from './random.js';

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

/** A product of the made-up shop; its price is in minor units of {@link Market.currency}. */
interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

/** A country of buyers, with its currency, tax and shipping. */
interface Market {
  readonly country: string;
  readonly currency: string;
  /** In hundredths of a percent. */
  readonly taxRate: number;
  /** Multiplies the prices of the price list. */
  readonly priceFactor: number;
  /** In minor units. */
  readonly shipping: number;
}

const products: readonly Product[] = [
  ['espresso', 'Espresso beans, 1 kg', 2_190],
  ['filter', 'Filter coffee, 500 g', 1_290],
  ['decaf', 'Decaf beans, 500 g', 1_350],
  ['grinder', 'Hand grinder', 8_900],
  ['kettle', 'Gooseneck kettle', 6_450],
  ['dripper', 'Ceramic dripper', 2_495],
  ['scale', 'Brewing scale', 4_999],
  ['papers', 'Filter papers, 100 pieces', 590],
  ['mug', 'Stoneware mug', 1_450],
  ['course', 'Barista course, online', 11_900],
  ['book', 'Book “Coffee at home”', 2_800],
  ['gift', 'Gift card', 5_000],
].map(([name, title, price]) => ({
  id: `prod_${name as string}`,
  name: title as string,
  price: price as number,
}));

const euroMarket = (country: string, taxRate: number): Market => ({
  country,
  currency: 'EUR',
  taxRate,
  priceFactor: 1,
  shipping: 490,
});

/** A market appears once per share of its buyers. */
const markets: readonly Market[] = [
  euroMarket('DE', 1_900),
  euroMarket('DE', 1_900),
  euroMarket('DE', 1_900),
  euroMarket('FR', 2_000),
  euroMarket('NL', 2_100),
  euroMarket('AT', 2_000),
  euroMarket('IE', 2_300),
  { country: 'GB', currency: 'GBP', taxRate: 2_000, priceFactor: 0.87, shipping: 450 },
  { country: 'US', currency: 'USD', taxRate: 0, priceFactor: 1.1, shipping: 900 },
  { country: 'CH', currency: 'CHF', taxRate: 810, priceFactor: 1.05, shipping: 790 },
  { country: 'JP', currency: 'JPY', taxRate: 1_000, priceFactor: 1.6, shipping: 1_500 },
  { country: 'KW', currency: 'KWD', taxRate: 0, priceFactor: 3.4, shipping: 3_500 },
];

const givenNames =
  'Ada Alan Amélie Aya Björn Chloé Daniel Elif Emma Félix Grace Hana Ines Jonas Kenji Lena Luca Maya Nadia Noah Olga Paul Rosa Sven Tomás Yusuf Zoë'.split(
    ' ',
  );

const familyNames =
  'Abe Berg Costa Dubois Fischer García Haddad Ito Jansen Keller Lefèvre Meyer Novák O’Brien Okafor Petit Rossi Sato Schmidt Smith Tanaka Weber Wolf Yılmaz'.split(
    ' ',
  );

const methods = ['card', 'card', 'card', 'paypal', 'sepa_debit', 'sandbox'] as const;

const affiliates = ['coffee-blog', 'morning.letter', 'barista_tv'] as const;

const campaigns = ['newsletter', 'search', 'spring', 'friends'] as const;
