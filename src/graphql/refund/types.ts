import { Field, ID, ObjectType } from '../type-graphql.js';
import {
  type RefundReason,
  refundReasons,
  type RefundStatus,
  refundStatuses,
} from '../../domain/payment/refund.entity.js';
import type { RefundView } from '../../domain/payment/refunds.js';
import { enumType } from '../enum-type.js';
import { listType } from '../pagination.js';
import { DateTime, MinorUnits } from '../scalars.js';

const RefundStatusEnum = enumType('RefundStatus', refundStatuses);

export const RefundReasonEnum = enumType('RefundReason', refundReasons);

/** Money of a payment that the seller returned. */
@ObjectType('Refund')
export class RefundType implements RefundView {
  @Field(() => String)
  object!: 'refund';

  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  payment!: string;

  @Field(() => ID)
  order!: string;

  @Field(() => RefundStatusEnum)
  status!: RefundStatus;

  @Field(() => String)
  currency!: string;

  @Field(() => MinorUnits)
  amountMinorUnits!: number;

  @Field(() => RefundReasonEnum, { nullable: true })
  reason!: RefundReason | null;

  @Field(() => String, { nullable: true })
  note!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the money leaves or will leave the balance; null while unknown.',
  })
  cashFlowAt!: Date | null;
}

export const RefundList = listType('RefundList', RefundType);
