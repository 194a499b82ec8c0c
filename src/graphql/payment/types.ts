import { Field, ID, InputType, ObjectType } from '../type-graphql.js';
import { type PaymentStatus, paymentStatuses } from '../../domain/payment/payment.entity.js';
import type { PaymentView } from '../../domain/payment/payments.js';
import type { RefundReason } from '../../domain/payment/refund.entity.js';
import type { RefundInput } from '../../domain/payment/refunds.js';
import { enumType } from '../enum-type.js';
import { listType } from '../pagination.js';
import { RefundReasonEnum } from '../refund/types.js';
import { DateTime, MinorUnits } from '../scalars.js';

const PaymentStatusEnum = enumType('PaymentStatus', paymentStatuses);

@ObjectType('Payment')
export class PaymentType implements PaymentView {
  @Field(() => String)
  object!: 'payment';

  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  order!: string;

  @Field(() => PaymentStatusEnum)
  status!: PaymentStatus;

  @Field(() => String)
  currency!: string;

  @Field(() => MinorUnits)
  amountMinorUnits!: number;

  @Field(() => MinorUnits)
  refundedMinorUnits!: number;

  @Field(() => MinorUnits)
  feeMinorUnits!: number;

  @Field(() => MinorUnits, { description: 'The amount without the fee.' })
  netMinorUnits!: number;

  @Field(() => String)
  method!: string;

  @Field(() => String)
  buyerEmail!: string;

  @Field(() => DateTime, { description: 'When the sale was made.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the money is or will be booked; null while unknown.',
  })
  cashFlowAt!: Date | null;
}

export const PaymentList = listType('PaymentList', PaymentType);

/** Without an amount, refunds everything that remains. */
@InputType('RefundPaymentInput')
export class RefundPaymentInput implements RefundInput {
  @Field(() => MinorUnits, { nullable: true })
  amountMinorUnits?: number | null;

  @Field(() => RefundReasonEnum, { nullable: true })
  reason?: RefundReason | null;

  @Field(() => String, { nullable: true, description: 'At most 500 characters.' })
  note?: string | null;

  @Field(() => MinorUnits, {
    nullable: true,
    description:
      'What the caller saw as refunded. If it differs now, nothing is refunded: so a repeated request refunds once.',
  })
  refundedMinorUnits?: number | null;
}
