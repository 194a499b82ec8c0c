import { Field, ObjectType } from '../type-graphql.js';
import type { RecordedPayment } from '../../domain/payment/record-payment.js';
import { type InvoiceView, invoiceView } from '../../domain/payment/invoices.js';
import { type OrderView, orderView } from '../../domain/payment/orders.js';
import { type PaymentView, paymentView } from '../../domain/payment/payments.js';
import type { Read } from '../../domain/tx.js';
import { InvoiceType } from '../invoice/types.js';
import { OrderType } from '../order/types.js';
import { PaymentType } from '../payment/types.js';

/** The objects that a payment created, and the buyer's next URL. */
export interface RecordedPaymentView {
  readonly order: OrderView;
  readonly payment: PaymentView;
  readonly invoice: InvoiceView;
  readonly thankYouUrl: string;
}

@ObjectType('RecordedPayment')
export class RecordedPaymentType implements RecordedPaymentView {
  @Field(() => OrderType)
  order!: OrderView;

  @Field(() => PaymentType)
  payment!: PaymentView;

  @Field(() => InvoiceType)
  invoice!: InvoiceView;

  @Field(() => String)
  thankYouUrl!: string;
}

/** Converts the objects of a payment to what their account sees. */
export function recordedPaymentView(read: Read, recorded: RecordedPayment): RecordedPaymentView {
  return {
    order: orderView(recorded.order),
    payment: paymentView(recorded.payment),
    invoice: invoiceView(read, recorded.invoice),
    thankYouUrl: recorded.thankYouUrl,
  };
}
