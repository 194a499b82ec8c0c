import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import {
  type CheckoutView,
  createCheckout,
  getCheckout,
  listCheckouts,
} from '../../domain/checkout/checkouts.js';
import { recordPayment } from '../../domain/payment/record-payment.js';
import { accountOf } from '../access.js';
import type { PageOf } from '../cursor-page.js';
import { CheckoutPage, CheckoutType, CreateCheckoutInput, RecordPaymentInput } from './types.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import {
  RecordedPaymentType,
  type RecordedPaymentView,
  recordedPaymentView,
} from './recorded-payment.js';

/** Checkouts, and the payments that complete them. */
@Resolver()
export class CheckoutResolver {
  @Authorized('orders:read')
  @Query(() => CheckoutType)
  checkout(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<CheckoutView> {
    return getCheckout(context.read, owner, id);
  }

  @Authorized('orders:read')
  @Query(() => CheckoutPage, {
    description: 'Checkouts, newest first, also those without a visit.',
  })
  checkouts(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
  ): Promise<PageOf<CheckoutView>> {
    return listCheckouts(context.read, owner, { limit, cursor });
  }

  @Authorized('internal')
  @Mutation(() => CheckoutType)
  async createCheckout(
    @Ctx() context: Context,
    @Arg('input', () => CreateCheckoutInput) input: CreateCheckoutInput,
  ): Promise<CheckoutView> {
    const owner = await accountOf(context, input.account);
    return context.transact((tx) => createCheckout(tx, owner, input));
  }

  @Authorized('internal')
  @Mutation(() => RecordedPaymentType, { description: "Completes the buyer's checkout." })
  async recordPayment(
    @Ctx() { read, transact }: Context,
    @Arg('input', () => RecordPaymentInput) input: RecordPaymentInput,
  ): Promise<RecordedPaymentView> {
    const recorded = await transact((tx) => recordPayment(tx, input.account ?? null, input));
    return recordedPaymentView(read, recorded);
  }
}
