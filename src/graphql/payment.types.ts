import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import type { RecordedPayment } from '../domain/checkout/record-payment.js';
import type { Invoice } from '../domain/commerce/invoice.entity.js';
import type { Order } from '../domain/commerce/order.entity.js';
import type { Payment, PaymentStatus } from '../domain/commerce/payment.entity.js';
import type { Totals } from '../domain/commerce/totals.entity.js';
import { TotalsType } from './checkout.types.js';
import { DateTime, Json, MinorUnits } from './scalars.js';

/** What became of a payment. */
const PaymentStatusEnum = {
  succeeded: 'succeeded',
  partially_refunded: 'partially_refunded',
  refunded: 'refunded',
  charged_back: 'charged_back',
} as const satisfies { [Status in PaymentStatus]: Status };
registerEnumType(PaymentStatusEnum, { name: 'PaymentStatus' });

/** What a document bills: a payment or a refund. */
const InvoiceTypeEnum = {
  invoice: 'invoice',
  credit_note: 'credit_note',
} as const satisfies { [Type in Invoice['type']]: Type };
registerEnumType(InvoiceTypeEnum, { name: 'InvoiceType' });

/** What a succeeded payment made of a checkout. */
@ObjectType('Order', { simpleResolvers: true })
class OrderType implements Pick<
  Order,
  'id' | 'externalReference' | 'metadata' | 'affiliate' | 'createdAt' | 'completedAt' | 'totals'
> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  externalReference!: string;

  @Field(() => Json)
  metadata!: Record<string, unknown>;

  @Field(() => String, { nullable: true })
  affiliate!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  completedAt!: Date;

  @Field(() => TotalsType)
  totals!: Totals;
}

/** Money that a buyer paid. */
@ObjectType('Payment', { simpleResolvers: true })
class PaymentType implements Pick<
  Payment,
  'id' | 'status' | 'currency' | 'amountMinorUnits' | 'method' | 'buyerEmail' | 'createdAt'
> {
  @Field(() => ID)
  id!: string;

  @Field(() => PaymentStatusEnum)
  status!: PaymentStatus;

  @Field(() => String)
  currency!: string;

  @Field(() => MinorUnits)
  amountMinorUnits!: number;

  @Field(() => String)
  method!: string;

  @Field(() => String)
  buyerEmail!: string;

  @Field(() => DateTime)
  createdAt!: Date;
}

/** The document that a payment is billed with. */
@ObjectType('Invoice', { simpleResolvers: true })
class InvoiceType implements Pick<Invoice, 'id' | 'number' | 'type' | 'issuedAt' | 'totals'> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  number!: string;

  @Field(() => InvoiceTypeEnum)
  type!: Invoice['type'];

  @Field(() => DateTime)
  issuedAt!: Date;

  @Field(() => TotalsType)
  totals!: Totals;
}

/** What a recorded payment made, and where the buyer goes next. */
@ObjectType('RecordedPayment', { simpleResolvers: true })
export class RecordedPaymentType {
  @Field(() => OrderType)
  order!: RecordedPayment['order'];

  @Field(() => PaymentType)
  payment!: RecordedPayment['payment'];

  @Field(() => InvoiceType)
  invoice!: RecordedPayment['invoice'];

  @Field(() => String)
  thankYouUrl!: string;
}
