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
