import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import { getEntry, listEntries } from '../../domain/commerce/entry-list.js';
import type { NumberedPage } from '../../domain/commerce/numbered-page.js';
import { createOffer, offers, type OfferView } from '../../domain/offer/offers.js';
import { cancelOffer, resendOffer, sendOffer } from '../../domain/offer/send-offer.js';
import { accountOf, type RequiredPermission } from '../access.js';
import type { Context } from '../context.js';
import { CreateOfferInput, OfferList, OfferType } from './types.js';

/** Offers. Internal credentials must name `account`. */
@Resolver()
export class OfferResolver {
  @Authorized<RequiredPermission>('orders:read')
  @Query(() => OfferList)
  async offers(
    @Ctx() context: Context,
    @Arg('page', () => Int, { defaultValue: 1 }) page: number,
    @Arg('perPage', () => Int, { defaultValue: 25 }) perPage: number,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<NumberedPage<OfferView>> {
    const owner = await accountOf(context, account);
    return listEntries(context.read, owner, offers, { page, perPage });
  }

  @Authorized<RequiredPermission>('orders:read')
  @Query(() => OfferType)
  async offer(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<OfferView> {
    return getEntry(context.read, await accountOf(context, account), offers, id);
  }

  @Authorized<RequiredPermission>('orders:write')
  @Mutation(() => OfferType, { description: 'Creates an offer as a draft. Sends no mail.' })
  async createOffer(
    @Ctx() context: Context,
    @Arg('input', () => CreateOfferInput) input: CreateOfferInput,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<OfferView> {
    const owner = await accountOf(context, account);
    return context.transact((tx) => createOffer(tx, owner, input));
  }

  @Authorized<RequiredPermission>('orders:write')
  @Mutation(() => OfferType, { description: 'Sends a draft to its recipient.' })
  async sendOffer(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<OfferView> {
    const owner = await accountOf(context, account);
    const send = () => context.transact((tx) => sendOffer(tx, owner, id));
    return context.rateLimited('mail', send);
  }

  @Authorized<RequiredPermission>('orders:write')
  @Mutation(() => OfferType, { description: 'Sends another mail for a sent offer.' })
  async resendOffer(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<OfferView> {
    const owner = await accountOf(context, account);
    const send = () => context.transact((tx) => resendOffer(tx, owner, id));
    return context.rateLimited('mail', send);
  }

  @Authorized<RequiredPermission>('orders:write')
  @Mutation(() => OfferType, { description: 'Withdraws an offer. It can no longer be paid.' })
  async cancelOffer(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<OfferView> {
    const owner = await accountOf(context, account);
    return context.transact((tx) => cancelOffer(tx, owner, id));
  }
}
