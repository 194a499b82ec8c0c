import type { NumberedRequest } from '../../domain/commerce/entry-list.js';
import type { Buyer, LineItem, Totals } from '../../domain/commerce/line-items.js';
import type { LineItemInput } from '../../domain/commerce/sale-input.js';
import type { EntryFilter, SaleFilter } from '../../domain/payment/payments.js';
import { Json, MinorUnits } from '../scalars.js';
import { ArgsType, Field, ID, InputType, Int, ObjectType } from '../type-graphql.js';

/** The amounts of a sale. */
@ObjectType('Totals')
export class TotalsType implements Totals {
  @Field(() => String)
  currency!: string;

  @Field(() => MinorUnits)
  subtotalMinorUnits!: number;

  @Field(() => MinorUnits)
  discountMinorUnits!: number;

  @Field(() => MinorUnits)
  shippingMinorUnits!: number;

  @Field(() => MinorUnits)
  taxMinorUnits!: number;

  @Field(() => MinorUnits)
  totalMinorUnits!: number;
}

/** A line item of a sale; amounts in minor units of its currency. */
@InputType('LineItemInput')
class LineItemInputType implements LineItemInput {
  @Field(() => String)
  name!: string;

  @Field(() => ID, { nullable: true, description: 'Defaults to a generated id.' })
  productId?: string | null;

  @Field(() => Int)
  quantity!: number;

  @Field(() => MinorUnits)
  unitAmountMinorUnits!: number;

  @Field(() => MinorUnits, { nullable: true, description: 'For the whole line item.' })
  discountMinorUnits?: number | null;

  @Field(() => MinorUnits, { nullable: true, description: 'For the whole line item.' })
  taxMinorUnits?: number | null;

  @Field(() => String, { nullable: true, description: 'A decimal such as "19.00".' })
  taxPercentage?: string | null;
}

/** What the inputs of a checkout and of an offer have in common. */
@InputType()
export abstract class SaleInput {
  @Field(() => String, { description: 'ISO 4217, upper case, and in use.' })
  currency!: string;

  @Field(() => [LineItemInputType])
  lineItems!: LineItemInputType[];

  @Field(() => MinorUnits, { nullable: true })
  shippingMinorUnits?: number | null;

  @Field(() => Json, { nullable: true, description: 'An object of any keys and values.' })
  metadata?: Record<string, unknown> | null;
}

@ObjectType('Buyer')
export class BuyerType implements Buyer {
  @Field(() => String)
  email!: string;

  @Field(() => String, { nullable: true })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'ISO 3166-1 alpha-2, upper case.' })
  country!: string | null;
}

@ObjectType('Product')
class ProductType {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;
}

/** A line item of an order; amounts in minor units of its currency. */
@ObjectType('LineItem')
export class LineItemType implements LineItem {
  @Field(() => ProductType)
  product!: ProductType;

  @Field(() => Int)
  quantity!: number;

  @Field(() => MinorUnits)
  unitAmountMinorUnits!: number;

  @Field(() => MinorUnits, { description: 'For the whole line item.' })
  discountMinorUnits!: number;

  @Field(() => MinorUnits, { description: 'For the whole line item.' })
  taxMinorUnits!: number;

  @Field(() => String, { description: 'A decimal such as "19.00".' })
  taxPercentage!: string;

  @Field(() => MinorUnits)
  totalMinorUnits!: number;
}

/** Describes one end of a time range that filters a list. */
export const rangeEnd = 'An RFC 3339 date (a day in UTC) or date-time. The range includes it.';

/** The arguments of a list of sales: its page and its filter. */
@ArgsType()
export class SaleListArgs implements NumberedRequest, SaleFilter {
  @Field(() => Int, { defaultValue: 1 })
  page!: number;

  @Field(() => Int, { defaultValue: 25 })
  perPage!: number;

  @Field(() => String, { nullable: true, description: rangeEnd })
  createdFrom?: string | null;

  @Field(() => String, { nullable: true, description: rangeEnd })
  createdTo?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The complete address. Its case does not matter.',
  })
  buyerEmail?: string | null;
}

/** The arguments of the lists of orders, refunds and invoices. */
@ArgsType()
export class EntryListArgs extends SaleListArgs implements EntryFilter {
  @Field(() => String, {
    nullable: true,
    description: 'The number of an invoice or a credit note, such as INV-000001.',
  })
  number?: string | null;
}
