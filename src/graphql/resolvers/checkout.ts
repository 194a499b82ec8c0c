import type { CheckoutInput } from '../../domain/checkout/checkout-input.js';
import {
  type CheckoutStatus,
  checkoutStatuses,
  type CheckoutView,
  createCheckout,
  getCheckout,
  listCheckouts,
} from '../../domain/checkout/checkouts.js';
import type { Totals } from '../../domain/commerce/line-items.js';
import { invoiceView, type InvoiceView } from '../../domain/payment/invoices.js';
import { orderView, type OrderView } from '../../domain/payment/orders.js';
import { paymentView, type PaymentView } from '../../domain/payment/payments.js';
import {
  type PaymentInput,
  type RecordedPayment,
  recordPayment,
} from '../../domain/payment/record-payment.js';
import type { Read } from '../../domain/transaction/tx.js';
import { AccountId, accountOf, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { type PageOf, cursorPageType } from '../lists.js';
import { DateTime, Json, MinorUnits } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';
import { InvoiceType } from './invoice.js';
import { OrderType } from './order.js';
import { PaymentType } from './payment.js';
import { SaleInput, TotalsType } from './sale.js';

const CheckoutStatusEnum = enumType('CheckoutStatus', checkoutStatuses);

/** The order of a completed checkout. */
@ObjectType('CheckoutOrder')
class CheckoutOrderType implements NonNullable<CheckoutView['order']> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  object!: 'order';
}

/** A sale that a buyer can pay within 30 minutes. */
@ObjectType('Checkout')
class CheckoutType implements CheckoutView {
  @Field(() => String)
  object!: 'checkout';

  @Field(() => ID)
  id!: string;

  @Field(() => CheckoutStatusEnum)
  status!: CheckoutStatus;

  @Field(() => CheckoutOrderType, { nullable: true })
  order!: CheckoutView['order'];

  @Field(() => Boolean)
  buyerEmailLocked!: boolean;

  @Field(() => String)
  cancelUrl!: string;

  @Field(() => String)
  successUrl!: string;

  @Field(() => String, { nullable: true })
  checkoutUrl!: string | null;

  @Field(() => String, { nullable: true })
  embedUrl!: string | null;

  @Field(() => String, { nullable: true })
  embedOrigin!: string | null;

  @Field(() => String)
  externalReference!: string;

  @Field(() => Json)
  metadata!: Readonly<Record<string, unknown>>;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  expiresAt!: Date;

  @Field(() => TotalsType)
  totals!: Totals;
}

/** Checkouts of an account, newest first. */
const CheckoutPage = cursorPageType('CheckoutPage', CheckoutType);

@InputType('CreateCheckoutInput')
class CreateCheckoutInput extends SaleInput implements CheckoutInput {
  @Field(() => ID)
  account!: string;

  @Field(() => String)
  successUrl!: string;

  @Field(() => String, { nullable: true })
  cancelUrl?: string | null;

  @Field(() => String, { nullable: true })
  externalReference?: string | null;

  @Field(() => String, { nullable: true })
  buyerEmail?: string | null;

  @Field(() => Boolean, { nullable: true })
  buyerEmailLocked?: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'Origin of the page that embeds the checkout.',
  })
  embedOrigin?: string | null;

  @Field(() => String, { nullable: true, description: 'The code of an affiliate link.' })
  affiliate?: string | null;
}

/** A payment that succeeded at the provider. */
@InputType('RecordPaymentInput')
class RecordPaymentInput implements PaymentInput {
  @Field(() => ID, { nullable: true, description: 'The account that owns the checkout.' })
  account?: string | null;

  @Field(() => ID)
  checkout!: string;

  @Field(() => String, { nullable: true, description: 'Defaults to card.' })
  method?: string | null;

  @Field(() => String, { nullable: true, description: 'Defaults to the address of the checkout.' })
  buyerEmail?: string | null;

  @Field(() => String, { nullable: true })
  buyerName?: string | null;

  @Field(() => String, { nullable: true, description: 'ISO 3166-1 alpha-2, upper case.' })
  buyerCountry?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the buyer began to pay. A payment that began before the expiry still counts.',
  })
  startedAt?: Date | null;

  @Field(() => MinorUnits, {
    nullable: true,
    description: 'Fee that the provider keeps. Defaults to 0.',
  })
  feeMinorUnits?: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the money is or will be booked, not before the payment began. Defaults to now.',
  })
  cashFlowAt?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'The same key with the same content records the payment once.',
  })
  key?: string | null;
}

/** The objects that a payment created, and the URL where the buyer goes next. */
interface RecordedPaymentView {
  readonly order: OrderView;
  readonly payment: PaymentView;
  readonly invoice: InvoiceView;
  readonly thankYouUrl: string;
}

@ObjectType('RecordedPayment')
class RecordedPaymentType implements RecordedPaymentView {
  @Field(() => OrderType)
  order!: OrderView;

  @Field(() => PaymentType)
  payment!: PaymentView;

  @Field(() => InvoiceType)
  invoice!: InvoiceView;

  @Field(() => String)
  thankYouUrl!: string;
}

/** Converts the objects of a payment to what the account sees. */
function recordedPaymentView(read: Read, recorded: RecordedPayment): RecordedPaymentView {
  return {
    order: orderView(recorded.order),
    payment: paymentView(recorded.payment),
    invoice: invoiceView(read, recorded.invoice),
    thankYouUrl: recorded.thankYouUrl,
  };
}

/** Checkouts, and the payments that complete them. */
@Resolver()
export class CheckoutResolver {
  @Authorized('orders:read')
  @Query(() => CheckoutType)
  checkout(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<CheckoutView> {
    return getCheckout(context.read, account, id);
  }

  @Authorized('orders:read')
  @Query(() => CheckoutPage, {
    description: 'Checkouts, newest first, also those without a visit.',
  })
  checkouts(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
  ): Promise<PageOf<CheckoutView>> {
    return listCheckouts(context.read, account, { limit, cursor });
  }

  @Authorized('internal')
  @Mutation(() => CheckoutType)
  async createCheckout(
    @Ctx() context: Context,
    @Arg('input', () => CreateCheckoutInput) input: CreateCheckoutInput,
  ): Promise<CheckoutView> {
    const account = await accountOf(context, input.account);
    return context.transact((tx) => createCheckout(tx, account, input));
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
