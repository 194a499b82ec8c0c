import {
  Arg,
  Args,
  ArgsType,
  Authorized,
  Ctx,
  Field,
  ID,
  Mutation,
  Query,
  Resolver,
} from '../type-graphql.js';
import { getEntry, type NumberedPage } from '../../domain/commerce/entry-list.js';
import {
  listPayments,
  type PaymentFilter,
  payments,
  type PaymentView,
} from '../../domain/payment/payments.js';
import { refundPayment, type RefundView, refundView } from '../../domain/payment/refunds.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import { rangeEnd, SaleListArgs } from '../pagination.js';
import { PaymentList, PaymentType, RefundPaymentInput } from './types.js';
import { RefundType } from '../refund/types.js';

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
    @AccountId() owner: string,
    @Args(() => PaymentListArgs) { page, perPage, ...filter }: PaymentListArgs,
  ): Promise<NumberedPage<PaymentView>> {
    return listPayments(context.read, owner, { page, perPage }, filter);
  }

  @Authorized('orders:read')
  @Query(() => PaymentType)
  payment(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<PaymentView> {
    return getEntry(context.read, owner, payments, id);
  }

  @Authorized('orders:write')
  @Mutation(() => RefundType, {
    description: 'Refunds a payment in full or in part, and issues a credit note.',
  })
  async refundPayment(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
    @Arg('input', () => RefundPaymentInput) input: RefundPaymentInput,
  ): Promise<RefundView> {
    const { refund } = await context.transact((tx) => refundPayment(tx, owner, id, input));
    return refundView(refund);
  }
}
