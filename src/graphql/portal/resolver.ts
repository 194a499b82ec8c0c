import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import { createPortalLink, type MadePortalLink } from '../../domain/portal/portal-links.js';
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
      'Ends a portal session, in every process within a second. For sessions of owners and admins.',
  })
  async endPortalSession(
    @Ctx() { transact }: Context,
    @AdministeredAccount() account: string,
    @Arg('id', () => ID, { description: 'The id of the session, or of the link that opened it.' })
    id: string,
  ): Promise<boolean> {
    await transact((tx) => endPortalSession(tx, account, id));
    return true;
  }

  @Mutation(() => Int, {
    description:
      'Ends all portal sessions. Returns how many ended. For sessions of owners and admins.',
  })
  endPortalSessions(
    @Ctx() { transact }: Context,
    @AdministeredAccount() account: string,
  ): Promise<number> {
    return transact((tx) => endPortalSessions(tx, account));
  }
}
