import { Arg, Authorized, Ctx, ID, Int, Query, Resolver } from '../type-graphql.js';
import { getEntry, listEntries } from '../../domain/commerce/entry-list.js';
import type { NumberedPage } from '../../domain/commerce/numbered-page.js';
import { invoices, type InvoiceView } from '../../domain/commerce/invoices.js';
import { accountOf, type RequiredPermission } from '../access.js';
import type { Context } from '../context.js';
import { InvoiceList, InvoiceType } from './types.js';

/** Invoices and credit notes. Internal credentials must name `account`. */
@Resolver()
export class InvoiceResolver {
  @Authorized<RequiredPermission>('orders:read')
  @Query(() => InvoiceList)
  async invoices(
    @Ctx() context: Context,
    @Arg('page', () => Int, { defaultValue: 1 }) page: number,
    @Arg('perPage', () => Int, { defaultValue: 25 }) perPage: number,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<NumberedPage<InvoiceView>> {
    const owner = await accountOf(context, account);
    return listEntries(context.read, owner, invoices, { page, perPage });
  }

  @Authorized<RequiredPermission>('orders:read')
  @Query(() => InvoiceType)
  async invoice(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<InvoiceView> {
    return getEntry(context.read, await accountOf(context, account), invoices, id);
  }
}
