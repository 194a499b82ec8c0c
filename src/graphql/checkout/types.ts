import { Field, ID, InputType, ObjectType } from '../type-graphql.js';
import type { CheckoutInput } from '../../domain/checkout/checkout-input.js';
import {
  type CheckoutStatus,
  checkoutStatuses,
  type CheckoutView,
} from '../../domain/checkout/checkouts.js';
import type { PaymentInput } from '../../domain/payment/record-payment.js';
import type { Totals } from '../../domain/commerce/line-items.js';
import { pageType } from '../cursor-page.js';
import { enumType } from '../enum-type.js';
import { SaleInput } from '../sale-input.js';
import { DateTime, Json, MinorUnits } from '../scalars.js';
import { TotalsType } from '../totals.js';

const CheckoutStatusEnum = enumType('CheckoutStatus', checkoutStatuses);

/** The order of a completed checkout. */
@ObjectType('CheckoutOrder')
class CheckoutOrderType implements NonNullable<CheckoutView['order']> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  object!: 'order';
}

/** A sale that a buyer can pay for 30 minutes. */
@ObjectType('Checkout')
export class CheckoutType implements CheckoutView {
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
export const CheckoutPage = pageType('CheckoutPage', CheckoutType);

@InputType('CreateCheckoutInput')
export class CreateCheckoutInput extends SaleInput implements CheckoutInput {
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
export class RecordPaymentInput implements PaymentInput {
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
