import { Arg, Authorized, Ctx, ID, Int, Query, Resolver } from '../type-graphql.js';
import { getEntry, listEntries } from '../../domain/commerce/entry-list.js';
import type { NumberedPage } from '../../domain/commerce/numbered-page.js';
import { invoices, type InvoiceView } from '../../domain/commerce/invoices.js';
import type { Context } from '../context.js';
import { Owner } from '../owner.js';
import { InvoiceList, InvoiceType } from './types.js';

/** Invoices and credit notes. Internal credentials must name `account`. */
@Resolver()
export class InvoiceResolver {
  @Authorized('orders:read')
  @Query(() => InvoiceList)
  invoices(
    @Ctx() context: Context,
    @Owner() owner: string,
    @Arg('page', () => Int, { defaultValue: 1 }) page: number,
    @Arg('perPage', () => Int, { defaultValue: 25 }) perPage: number,
  ): Promise<NumberedPage<InvoiceView>> {
    return listEntries(context.read, owner, invoices, { page, perPage });
  }

  @Authorized('orders:read')
  @Query(() => InvoiceType)
  invoice(
    @Ctx() context: Context,
    @Owner() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<InvoiceView> {
    return getEntry(context.read, owner, invoices, id);
  }
}
