import { getEntry, type NumberedPage } from '../../domain/commerce/entry-list.js';
import {
  type PaymentStatus,
  paymentStatuses,
  type RefundReason,
} from '../../domain/payment/ledger.entity.js';
import {
  listPayments,
  type PaymentFilter,
  payments,
  type PaymentView,
} from '../../domain/payment/payments.js';
import {
  type RefundInput,
  refundPayment,
  refundView,
  type RefundView,
} from '../../domain/payment/refunds.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { numberedPageType } from '../lists.js';
import { DateTime, MinorUnits } from '../scalars.js';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  enumType,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';
import { RefundReasonEnum, RefundType } from './refund.js';
import { rangeEnd, SaleListArgs } from './sale.js';

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

const PaymentList = numberedPageType('PaymentList', PaymentType);

/** Without an amount, refunds everything that remains. */
@InputType('RefundPaymentInput')
class RefundPaymentInput implements RefundInput {
  @Field(() => MinorUnits, { nullable: true })
  amountMinorUnits?: number | null;

  @Field(() => RefundReasonEnum, { nullable: true })
  reason?: RefundReason | null;

  @Field(() => String, { nullable: true, description: 'At most 500 characters.' })
  note?: string | null;

  @Field(() => MinorUnits, {
    nullable: true,
    description:
      'The refunded amount that the caller has read. If it has changed, nothing is refunded, so a repeated request refunds once.',
  })
  refundedMinorUnits?: number | null;
}

@ArgsType()
class PaymentListArgs extends SaleListArgs implements PaymentFilter {
  @Field(() => String, { nullable: true, description: rangeEnd })
  cashFlowFrom?: string | null;

  @Field(() => String, { nullable: true, description: rangeEnd })
  cashFlowTo?: string | null;
}

/** Payments. Internal credentials must name `account`. */
@Resolver()
export class PaymentResolver {
  @Authorized('orders:read')
  @Query(() => PaymentList)
  payments(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Args(() => PaymentListArgs) { page, perPage, ...filter }: PaymentListArgs,
  ): Promise<NumberedPage<PaymentView>> {
    return listPayments(context.read, account, { page, perPage }, filter);
  }

  @Authorized('orders:read')
  @Query(() => PaymentType)
  payment(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<PaymentView> {
    return getEntry(context.read, account, payments, id);
  }

  @Authorized('orders:write')
  @Mutation(() => RefundType, {
    description: 'Refunds a payment in full or in part, and issues a credit note.',
  })
  async refundPayment(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => RefundPaymentInput) input: RefundPaymentInput,
  ): Promise<RefundView> {
    const { refund } = await context.transact((tx) => refundPayment(tx, account, id, input));
    return refundView(refund);
  }
}
