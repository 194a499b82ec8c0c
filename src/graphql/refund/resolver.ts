import { Arg, Authorized, Ctx, ID, Int, Query, Resolver } from '../type-graphql.js';
import { getEntry, listEntries } from '../../domain/commerce/entry-list.js';
import type { NumberedPage } from '../../domain/commerce/numbered-page.js';
import { refunds, type RefundView } from '../../domain/commerce/refunds.js';
import type { Context } from '../context.js';
import { Owner } from '../owner.js';
import { RefundList, RefundType } from './types.js';

/** Refunds. Internal credentials must name `account`. */
@Resolver()
export class RefundResolver {
  @Authorized('orders:read')
  @Query(() => RefundList)
  refunds(
    @Ctx() context: Context,
    @Owner() owner: string,
    @Arg('page', () => Int, { defaultValue: 1 }) page: number,
    @Arg('perPage', () => Int, { defaultValue: 25 }) perPage: number,
  ): Promise<NumberedPage<RefundView>> {
    return listEntries(context.read, owner, refunds, { page, perPage });
  }

  @Authorized('orders:read')
  @Query(() => RefundType)
  refund(
    @Ctx() context: Context,
    @Owner() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RefundView> {
    return getEntry(context.read, owner, refunds, id);
  }
}
