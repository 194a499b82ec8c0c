/** A product of the made-up shop; its price is in minor units of {@link Market.currency}. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

/** A country of buyers, with its currency, tax and shipping. */
export interface Market {
  readonly country: string;
  readonly currency: string;
  /** In hundredths of a percent. */
  readonly taxRate: number;
  /** Multiplies the prices of the price list. */
  readonly priceFactor: number;
  /** In minor units. */
  readonly shipping: number;
}

export const products: readonly Product[] = [
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
export const markets: readonly Market[] = [
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

export const givenNames =
  'Ada Alan Amélie Aya Björn Chloé Daniel Elif Emma Félix Grace Hana Ines Jonas Kenji Lena Luca Maya Nadia Noah Olga Paul Rosa Sven Tomás Yusuf Zoë'.split(
    ' ',
  );

export const familyNames =
  'Abe Berg Costa Dubois Fischer García Haddad Ito Jansen Keller Lefèvre Meyer Novák O’Brien Okafor Petit Rossi Sato Schmidt Smith Tanaka Weber Wolf Yılmaz'.split(
    ' ',
  );

export const methods = ['card', 'card', 'card', 'paypal', 'sepa_debit', 'sandbox'] as const;

export const affiliates = ['coffee-blog', 'morning.letter', 'barista_tv'] as const;

export const campaigns = ['newsletter', 'search', 'spring', 'friends'] as const;
