import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import { type CheckoutView, createCheckout, getCheckout } from '../../domain/checkout/checkouts.js';
import { recordPayment } from '../../domain/payment/record-payment.js';
import { accountOf, type RequiredPermission } from '../access.js';
import { CheckoutType, CreateCheckoutInput, RecordPaymentInput } from './types.js';
import type { Context } from '../context.js';
import {
  RecordedPaymentType,
  type RecordedPaymentView,
  recordedPaymentView,
} from './recorded-payment.js';

/** Checkouts, and the payments that complete them. */
@Resolver()
export class CheckoutResolver {
  @Authorized<RequiredPermission>('orders:read')
  @Query(() => CheckoutType)
  async checkout(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<CheckoutView> {
    return getCheckout(context.read, await accountOf(context, account), id);
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => CheckoutType)
  async createCheckout(
    @Ctx() context: Context,
    @Arg('input', () => CreateCheckoutInput) input: CreateCheckoutInput,
  ): Promise<CheckoutView> {
    const owner = await accountOf(context, input.account);
    return context.transact((tx) => createCheckout(tx, owner, input));
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => RecordedPaymentType, { description: "Completes the buyer's checkout." })
  async recordPayment(
    @Ctx() { read, transact }: Context,
    @Arg('input', () => RecordPaymentInput) input: RecordPaymentInput,
  ): Promise<RecordedPaymentView> {
    const recorded = await transact((tx) => recordPayment(tx, input.account ?? null, input));
    return recordedPaymentView(read, recorded);
  }
}
