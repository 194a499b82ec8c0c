import { Field, ID, Int, ObjectType } from '../type-graphql.js';
import type { Buyer, LineItem, Totals } from '../../domain/commerce/line-items.js';
import type { OrderView } from '../../domain/payment/orders.js';
import { TotalsType } from '../totals.js';
import { listType } from '../pagination.js';
import { DateTime, Json, MinorUnits } from '../scalars.js';

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

/** The affiliate who referred the buyer. */
@ObjectType('Affiliate')
class AffiliateType {
  @Field(() => String)
  code!: string;
}

/** A paid checkout. Resolvers look up its payments and invoices. */
@ObjectType('Order')
export class OrderType implements OrderView {
  @Field(() => String)
  object!: 'order';

  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: 'Always completed: an unpaid checkout has no order.' })
  status!: 'completed';

  @Field(() => ID, { nullable: true })
  checkout!: string | null;

  @Field(() => String)
  externalReference!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  completedAt!: Date;

  @Field(() => String)
  currency!: string;

  @Field(() => TotalsType)
  totals!: Totals;

  @Field(() => BuyerType)
  buyer!: Buyer;

  @Field(() => [LineItemType])
  lineItems!: LineItem[];

  @Field(() => Json)
  metadata!: Readonly<Record<string, unknown>>;

  @Field(() => AffiliateType, { nullable: true })
  affiliate!: OrderView['affiliate'];
}

export const OrderList = listType('OrderList', OrderType);
