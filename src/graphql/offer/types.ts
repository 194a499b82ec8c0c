import { Field, ID, InputType, Int, ObjectType } from '../type-graphql.js';
import type { LineItem, Totals } from '../../domain/commerce/line-items.js';
import type { OfferInput } from '../../domain/offer/offer-input.js';
import { type OfferStatus, offerStatuses, type OfferView } from '../../domain/offer/offers.js';
import { enumType } from '../enum-type.js';
import { LineItemType } from '../order/types.js';
import { listType } from '../pagination.js';
import { SaleInput } from '../sale-input.js';
import { DateTime, Json } from '../scalars.js';
import { TotalsType } from '../totals.js';

const OfferStatusEnum = enumType('OfferStatus', offerStatuses);

/** A proposed sale to one recipient, who accepts it by paying. */
@ObjectType('Offer')
export class OfferType implements OfferView {
  @Field(() => String)
  object!: 'offer';

  @Field(() => ID)
  id!: string;

  @Field(() => OfferStatusEnum)
  status!: OfferStatus;

  @Field(() => String)
  recipientEmail!: string;

  @Field(() => String)
  title!: string;

  @Field(() => String, { nullable: true })
  message!: string | null;

  @Field(() => String)
  currency!: string;

  @Field(() => [LineItemType])
  lineItems!: LineItem[];

  @Field(() => TotalsType)
  totals!: Totals;

  @Field(() => Json)
  metadata!: Readonly<Record<string, unknown>>;

  @Field(() => String, { description: 'The hosted page of the offer, once it is sent.' })
  offerUrl!: string;

  @Field(() => Int)
  sendCount!: number;

  @Field(() => DateTime, { nullable: true, description: 'When it was first sent.' })
  sentAt!: Date | null;

  @Field(() => DateTime, { nullable: true })
  acceptedAt!: Date | null;

  @Field(() => DateTime, { nullable: true })
  cancelledAt!: Date | null;

  @Field(() => DateTime)
  expiresAt!: Date;

  @Field(() => ID, { nullable: true, description: 'The order of the accepting payment.' })
  order!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  updatedAt!: Date;
}

export const OfferList = listType('OfferList', OfferType);

@InputType('CreateOfferInput')
export class CreateOfferInput extends SaleInput implements OfferInput {
  @Field(() => String)
  recipientEmail!: string;

  @Field(() => String, { description: 'One line of at most 250 characters.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'At most 2,000 characters.' })
  message?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'An RFC 3339 date-time, or a date, meaning its end in UTC. Defaults to 30 days from now.',
  })
  expiresAt?: string | null;
}
