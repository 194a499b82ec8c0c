import {
  Arg,
  Args,
  Authorized,
  Ctx,
  FieldResolver,
  ID,
  Query,
  Resolver,
  Root,
} from '../type-graphql.js';
import { getEntry, type NumberedPage } from '../../domain/commerce/entry-list.js';
import { searchEntries } from '../../domain/payment/payments.js';
import { orders, type OrderView } from '../../domain/payment/orders.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import { EntryListArgs } from '../pagination.js';
import { loadersOf } from '../loaders.js';
import { OrderList, OrderType } from './types.js';
import { MinorUnits } from '../scalars.js';

/** Orders. Internal credentials must name `account`. */
@Resolver(() => OrderType)
export class OrderResolver {
  @Authorized('orders:read')
  @Query(() => OrderList)
  orders(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Args(() => EntryListArgs) { page, perPage, ...filter }: EntryListArgs,
  ): Promise<NumberedPage<OrderView>> {
    return searchEntries(context.read, owner, orders, { page, perPage }, filter);
  }

  @Authorized('orders:read')
  @Query(() => OrderType)
  order(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OrderView> {
    return getEntry(context.read, owner, orders, id);
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
