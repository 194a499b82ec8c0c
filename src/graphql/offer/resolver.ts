import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import { getEntry, listEntries, type NumberedPage } from '../../domain/commerce/entry-list.js';
import { createOffer, offers, type OfferView } from '../../domain/offer/offers.js';
import { cancelOffer, resendOffer, sendOffer } from '../../domain/offer/change-offer.js';
import type { Context } from '../context.js';
import { AccountId } from '../owner.js';
import { CreateOfferInput, OfferList, OfferType } from './types.js';

/** Offers. Internal credentials must name `account`. */
@Resolver()
export class OfferResolver {
  @Authorized('orders:read')
  @Query(() => OfferList)
  offers(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('page', () => Int, { defaultValue: 1 }) page: number,
    @Arg('perPage', () => Int, { defaultValue: 25 }) perPage: number,
  ): Promise<NumberedPage<OfferView>> {
    return listEntries(context.read, owner, offers, { page, perPage });
  }

  @Authorized('orders:read')
  @Query(() => OfferType)
  offer(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OfferView> {
    return getEntry(context.read, owner, offers, id);
  }

  @Authorized('orders:write')
  @Mutation(() => OfferType, { description: 'Creates an offer as a draft. Sends no mail.' })
  createOffer(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('input', () => CreateOfferInput) input: CreateOfferInput,
  ): Promise<OfferView> {
    return context.transact((tx) => createOffer(tx, owner, input));
  }

  @Authorized('orders:write')
  @Mutation(() => OfferType, { description: 'Sends a draft to its recipient.' })
  sendOffer(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OfferView> {
    const send = () => context.transact((tx) => sendOffer(tx, owner, id));
    return context.rateLimited('mail', send);
  }

  @Authorized('orders:write')
  @Mutation(() => OfferType, { description: 'Sends another mail for a sent offer.' })
  resendOffer(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OfferView> {
    const send = () => context.transact((tx) => resendOffer(tx, owner, id));
    return context.rateLimited('mail', send);
  }

  @Authorized('orders:write')
  @Mutation(() => OfferType, { description: 'Withdraws an offer. It can no longer be paid.' })
  cancelOffer(
    @Ctx() context: Context,
    @AccountId() owner: string,
    @Arg('id', () => ID) id: string,
  ): Promise<OfferView> {
    return context.transact((tx) => cancelOffer(tx, owner, id));
  }
}
