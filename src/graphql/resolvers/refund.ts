import { getEntry, type NumberedPage } from '../../domain/commerce/entry-list.js';
import {
  type RefundReason,
  refundReasons,
  type RefundStatus,
  refundStatuses,
} from '../../domain/payment/ledger.entity.js';
import { searchEntries } from '../../domain/payment/payments.js';
import { refunds, type RefundView } from '../../domain/payment/refunds.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { numberedPageType } from '../lists.js';
import { DateTime, MinorUnits } from '../scalars.js';
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
import { EntryListArgs } from './sale.js';

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

const RefundList = numberedPageType('RefundList', RefundType);

/** Refunds. Internal credentials must name `account`. */
@Resolver()
export class RefundResolver {
  @Authorized('orders:read')
  @Query(() => RefundList)
  refunds(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Args(() => EntryListArgs) { page, perPage, ...filter }: EntryListArgs,
  ): Promise<NumberedPage<RefundView>> {
    return searchEntries(context.read, account, refunds, { page, perPage }, filter);
  }

  @Authorized('orders:read')
  @Query(() => RefundType)
  refund(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<RefundView> {
    return getEntry(context.read, account, refunds, id);
  }
}
