import { Arg, Args, Authorized, Ctx, ID, Query, Resolver } from '../type-graphql.js';
import { getEntry, type NumberedPage } from '../../domain/commerce/entry-list.js';
import { searchEntries } from '../../domain/payment/payments.js';
import { invoices, type InvoiceView } from '../../domain/payment/invoices.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import { EntryListArgs } from '../pagination.js';
import { InvoiceList, InvoiceType } from './types.js';

/** Invoices and credit notes. Internal credentials must name `account`. */
@Resolver()
export class InvoiceResolver {
  @Authorized('orders:read')
  @Query(() => InvoiceList)
  invoices(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Args(() => EntryListArgs) { page, perPage, ...filter }: EntryListArgs,
  ): Promise<NumberedPage<InvoiceView>> {
    return searchEntries(context.read, owner, invoices, { page, perPage }, filter);
  }

  @Authorized('orders:read')
  @Query(() => InvoiceType)
  invoice(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<InvoiceView> {
    return getEntry(context.read, owner, invoices, id);
  }
}
