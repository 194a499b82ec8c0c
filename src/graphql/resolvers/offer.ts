import { getEntry, listEntries, type NumberedPage } from '../../domain/commerce/entry-list.js';
import type { LineItem, Totals } from '../../domain/commerce/line-items.js';
import { cancelOffer, resendOffer, sendOffer } from '../../domain/offer/change-offer.js';
import type { OfferInput } from '../../domain/offer/offer-input.js';
import {
  createOffer,
  offers,
  type OfferStatus,
  offerStatuses,
  type OfferView,
} from '../../domain/offer/offers.js';
import { AccountId, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { numberedPageType } from '../lists.js';
import { DateTime, Json } from '../scalars.js';
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
import { LineItemType, SaleInput, TotalsType } from './sale.js';

const OfferStatusEnum = enumType('OfferStatus', offerStatuses);

/** A proposed sale to one recipient, who accepts it by paying. */
@ObjectType('Offer')
class OfferType implements OfferView {
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

const OfferList = numberedPageType('OfferList', OfferType);

@InputType('CreateOfferInput')
class CreateOfferInput extends SaleInput implements OfferInput {
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

/** Offers. Internal credentials must name `account`. */
@Resolver()
export class OfferResolver {
  @Authorized('orders:read')
  @Query(() => OfferList)
  offers(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('page', () => Int, { defaultValue: 1 }) page: number,
    @Arg('perPage', () => Int, { defaultValue: 25 }) perPage: number,
  ): Promise<NumberedPage<OfferView>> {
    return listEntries(context.read, account, offers, { page, perPage });
  }

  @Authorized('orders:read')
  @Query(() => OfferType)
  offer(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OfferView> {
    return getEntry(context.read, account, offers, id);
  }

  @Authorized('orders:write')
  @Mutation(() => OfferType, { description: 'Creates an offer as a draft. Sends no mail.' })
  createOffer(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('input', () => CreateOfferInput) input: CreateOfferInput,
  ): Promise<OfferView> {
    return context.transact((tx) => createOffer(tx, account, input));
  }

  @Authorized('orders:write')
  @Mutation(() => OfferType, { description: 'Sends a draft to its recipient.' })
  sendOffer(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OfferView> {
    const send = () => context.transact((tx) => sendOffer(tx, account, id));
    return context.rateLimited('mail', send);
  }

  @Authorized('orders:write')
  @Mutation(() => OfferType, { description: 'Sends another mail for a sent offer.' })
  resendOffer(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OfferView> {
    const send = () => context.transact((tx) => resendOffer(tx, account, id));
    return context.rateLimited('mail', send);
  }

  @Authorized('orders:write')
  @Mutation(() => OfferType, { description: 'Withdraws an offer. It can no longer be paid.' })
  cancelOffer(
    @Ctx() context: Context,
    @AccountId() account: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OfferView> {
    return context.transact((tx) => cancelOffer(tx, account, id));
  }
}
