/** One product of a checkout, an offer or an order, with how many and what they cost; amounts in minor units of its currency. */
export interface LineItem {
  readonly product: { readonly id: string; readonly name: string };
  readonly quantity: number;
  readonly unitAmountMinorUnits: number;
  /** For the whole line item. */
  readonly discountMinorUnits: number;
  /** For the whole line item, on top of the amount. */
  readonly taxMinorUnits: number;
  /** A decimal such as "19.00". */
  readonly taxPercentage: string;
  /** `quantity × unit amount - discount + tax`. */
  readonly totalMinorUnits: number;
}

/** Who pays. */
export interface Buyer {
  readonly email: string;
  readonly name: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
}
