import { getEntry, type NumberedPage } from '../../domain/commerce/entry-list.js';
import type { Buyer, Totals } from '../../domain/commerce/line-items.js';
import { invoices, type InvoiceView } from '../../domain/payment/invoices.js';
import { type Invoice, invoiceTypes } from '../../domain/payment/ledger.entity.js';
import { searchEntries } from '../../domain/payment/payments.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { numberedPageType } from '../lists.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Args,
  Ctx,
  enumType,
  Field,
  ID,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';
import { BuyerType, EntryListArgs, TotalsType } from './sale.js';

const InvoiceTypeEnum = enumType('InvoiceType', invoiceTypes);

/** The invoice of a payment or the credit note of a refund. */
@ObjectType('Invoice')
export class InvoiceType implements InvoiceView {
  @Field(() => String)
  object!: 'invoice';

  @Field(() => ID)
  id!: string;

  @Field(() => String)
  number!: string;

  @Field(() => InvoiceTypeEnum)
  type!: Invoice['type'];

  @Field(() => ID)
  order!: string;

  @Field(() => ID)
  payment!: string;

  @Field(() => ID, { nullable: true, description: 'The refund of a credit note.' })
  refund!: string | null;

  @Field(() => String)
  currency!: string;

  @Field(() => TotalsType)
  totals!: Totals;

  @Field(() => BuyerType)
  buyer!: Buyer;

  @Field(() => DateTime)
  issuedAt!: Date;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => String, { description: 'URL of the PDF. Anyone who has it can read the document.' })
  pdfUrl!: string;
}

const InvoiceList = numberedPageType('InvoiceList', InvoiceType);

/** Invoices and credit notes. Internal credentials must name `account`. */
@Resolver()
export class InvoiceResolver {
  @Authorized('orders:read')
  @Query(() => InvoiceList)
  invoices(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Args(() => EntryListArgs) { page, perPage, ...filter }: EntryListArgs,
  ): Promise<NumberedPage<InvoiceView>> {
    return searchEntries(context.read, account, invoices, { page, perPage }, filter);
  }

  @Authorized('orders:read')
  @Query(() => InvoiceType)
  invoice(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<InvoiceView> {
    return getEntry(context.read, account, invoices, id);
  }
}
