import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import {
  createPortalLink,
  listPortalLinks,
  type MadePortalLink,
  type PortalLinkView,
} from '../../domain/portal/portal-links.js';
import {
  endPortalSession,
  endPortalSessions,
  listPortalSessions,
  type PortalSessionView,
} from '../../domain/portal/portal-sessions.js';
import {
  findPortalSettings,
  type PortalSettingsView,
  updatePortalSettings,
} from '../../domain/portal/portal-settings.js';
import { accountOf, assertAdministrator } from '../access.js';
import type { Context } from '../context.js';
import { AdministeredAccount } from '../owner.js';
import {
  CreatePortalLinkInput,
  PortalLinkType,
  PortalSessionType,
  PortalSettingsType,
  UnusedPortalLinkType,
  UpdatePortalSettingsInput,
} from './types.js';

/** The portal of an account, for sessions of owners and admins, and for operators. */
@Resolver()
export class PortalResolver {
  @Query(() => PortalSettingsType, { description: 'For sessions of owners and admins.' })
  portalSettings(
    @Ctx() { read }: Context,
    @AdministeredAccount() account: string,
  ): Promise<PortalSettingsView> {
    return findPortalSettings(read, account);
  }

  @Query(() => [PortalSessionType], {
    description: 'The open portal sessions, newest first. For sessions of owners and admins.',
  })
  portalSessions(
    @Ctx() { read }: Context,
    @AdministeredAccount() account: string,
  ): Promise<PortalSessionView[]> {
    return listPortalSessions(read, account);
  }

  @Query(() => [UnusedPortalLinkType], {
    description:
      'The links that can still be used, newest first. For sessions of owners and admins.',
  })
  portalLinks(
    @Ctx() { read }: Context,
    @AdministeredAccount() account: string,
  ): Promise<PortalLinkView[]> {
    return listPortalLinks(read, account);
  }

  @Mutation(() => PortalSettingsType, {
    description: 'Applies from the next load of the portal. For sessions of owners and admins.',
  })
  async updatePortalSettings(
    @Ctx() context: Context,
    @Arg('input', () => UpdatePortalSettingsInput) input: UpdatePortalSettingsInput,
  ): Promise<PortalSettingsView> {
    await assertAdministrator(context);
    const account = await accountOf(context, input.account);
    return context.transact((tx) => updatePortalSettings(tx, account, input));
  }

  @Mutation(() => PortalLinkType, {
    description:
      'Makes a link that opens one portal session. It has a member or a role. For sessions of owners and admins.',
  })
  async createPortalLink(
    @Ctx() context: Context,
    @Arg('input', () => CreatePortalLinkInput) input: CreatePortalLinkInput,
  ): Promise<MadePortalLink> {
    const by = await assertAdministrator(context);
    const account = await accountOf(context, input.account);
    return context.transact((tx) => createPortalLink(tx, by, account, input));
  }

  @Mutation(() => Boolean, {
    description:
      'Ends a portal session, in every process within a second, or deletes an unused link. For sessions of owners and admins.',
  })
  async endPortalSession(
    @Ctx() { transact }: Context,
    @AdministeredAccount() account: string,
    @Arg('id', () => ID, { description: 'The id of the session or of the link.' })
    id: string,
  ): Promise<boolean> {
    await transact((tx) => endPortalSession(tx, account, id));
    return true;
  }

  @Mutation(() => Int, {
    description:
      'Ends all portal sessions and deletes all unused links. Returns how many sessions ended. For sessions of owners and admins.',
  })
  endPortalSessions(
    @Ctx() { transact }: Context,
    @AdministeredAccount() account: string,
  ): Promise<number> {
    return transact((tx) => endPortalSessions(tx, account));
  }
}
