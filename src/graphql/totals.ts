import type { Totals } from '../domain/commerce/line-items.js';
import { MinorUnits } from './scalars.js';
import { Field, ObjectType } from './type-graphql.js';

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
