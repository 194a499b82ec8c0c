import { Arg, Authorized, Ctx, ID, Int, Query, Resolver } from '../type-graphql.js';
import { getEntry, listEntries } from '../../domain/commerce/entry-list.js';
import type { NumberedPage } from '../../domain/commerce/numbered-page.js';
import { refunds, type RefundView } from '../../domain/commerce/refunds.js';
import { accountOf, type RequiredPermission } from '../access.js';
import type { Context } from '../context.js';
import { RefundList, RefundType } from './types.js';

/** Refunds. Internal credentials must name `account`. */
@Resolver()
export class RefundResolver {
  @Authorized<RequiredPermission>('orders:read')
  @Query(() => RefundList)
  async refunds(
    @Ctx() context: Context,
    @Arg('page', () => Int, { defaultValue: 1 }) page: number,
    @Arg('perPage', () => Int, { defaultValue: 25 }) perPage: number,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<NumberedPage<RefundView>> {
    const owner = await accountOf(context, account);
    return listEntries(context.read, owner, refunds, { page, perPage });
  }

  @Authorized<RequiredPermission>('orders:read')
  @Query(() => RefundType)
  async refund(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<RefundView> {
    return getEntry(context.read, await accountOf(context, account), refunds, id);
  }
}
