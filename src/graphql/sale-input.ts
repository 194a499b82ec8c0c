import type { LineItemInput } from '../domain/commerce/sale-input.js';
import { Json, MinorUnits } from './scalars.js';
import { Field, ID, InputType, Int } from './type-graphql.js';

/** A line item of a sale; amounts in minor units of its currency. */
@InputType('LineItemInput')
export class LineItemInputType implements LineItemInput {
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

/** What the input of a checkout and of an offer have in common. */
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
