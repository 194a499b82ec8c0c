import { Field, ID, ObjectType } from '../type-graphql.js';
import { type Invoice, invoiceTypes } from '../../domain/payment/invoice.entity.js';
import type { InvoiceView } from '../../domain/payment/invoices.js';
import type { Buyer, Totals } from '../../domain/commerce/line-items.js';
import { enumType } from '../enum-type.js';
import { TotalsType } from '../totals.js';
import { BuyerType } from '../order/types.js';
import { listType } from '../pagination.js';
import { DateTime } from '../scalars.js';

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

export const InvoiceList = listType('InvoiceList', InvoiceType);
