import { getEntry, type NumberedPage } from '../../domain/commerce/entry-list.js';
import type { Buyer, LineItem, Totals } from '../../domain/commerce/line-items.js';
import { orders, type OrderView } from '../../domain/payment/orders.js';
import { searchEntries } from '../../domain/payment/payments.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { numberedPageType } from '../lists.js';
import { loadersOf } from '../loaders.js';
import { DateTime, Json, MinorUnits } from '../scalars.js';
import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  ObjectType,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import { BuyerType, EntryListArgs, LineItemType, TotalsType } from './sale.js';

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

const OrderList = numberedPageType('OrderList', OrderType);

/** Orders. Internal credentials must name `account`. */
@Resolver(() => OrderType)
export class OrderResolver {
  @Authorized('orders:read')
  @Query(() => OrderList)
  orders(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Args(() => EntryListArgs) { page, perPage, ...filter }: EntryListArgs,
  ): Promise<NumberedPage<OrderView>> {
    return searchEntries(context.read, account, orders, { page, perPage }, filter);
  }

  @Authorized('orders:read')
  @Query(() => OrderType)
  order(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OrderView> {
    return getEntry(context.read, account, orders, id);
  }

  @FieldResolver(() => [ID])
  async paymentIds(@Root() { id }: OrderView, @Ctx() context: Context): Promise<readonly string[]> {
    return (await loadersOf(context).orderPayments.load(id)).ids;
  }

  @FieldResolver(() => MinorUnits, {
    description: 'Sum of the refunds of its payments.',
  })
  async refundedMinorUnits(@Root() { id }: OrderView, @Ctx() context: Context): Promise<number> {
    return (await loadersOf(context).orderPayments.load(id)).refundedMinorUnits;
  }

  @FieldResolver(() => [ID], { description: 'Its invoices and credit notes.' })
  invoiceIds(@Root() { id }: OrderView, @Ctx() context: Context): Promise<readonly string[]> {
    return loadersOf(context).orderInvoices.load(id);
  }
}
