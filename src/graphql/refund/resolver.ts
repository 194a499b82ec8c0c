import { Arg, Args, Authorized, Ctx, ID, Query, Resolver } from '../type-graphql.js';
import { getEntry, type NumberedPage } from '../../domain/commerce/entry-list.js';
import { searchEntries } from '../../domain/payment/payments.js';
import { refunds, type RefundView } from '../../domain/payment/refunds.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import { EntryListArgs } from '../pagination.js';
import { RefundList, RefundType } from './types.js';

/** Refunds. Internal credentials must name `account`. */
@Resolver()
export class RefundResolver {
  @Authorized('orders:read')
  @Query(() => RefundList)
  refunds(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Args(() => EntryListArgs) { page, perPage, ...filter }: EntryListArgs,
  ): Promise<NumberedPage<RefundView>> {
    return searchEntries(context.read, owner, refunds, { page, perPage }, filter);
  }

  @Authorized('orders:read')
  @Query(() => RefundType)
  refund(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RefundView> {
    return getEntry(context.read, owner, refunds, id);
  }
}
