import type { Role } from '../../domain/account/permission.js';
import {
  type PortalScheme,
  portalSchemes,
  type PortalTheme,
  type PortalThemeInput,
} from '../../domain/portal/portal-input.js';
import {
  createPortalLink,
  listPortalLinks,
  type MadePortalLink,
  type PortalLinkInput,
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
  type PortalLook,
  type PortalSettingsInput,
  type PortalSettingsView,
  updatePortalSettings,
} from '../../domain/portal/portal-settings.js';
import { accountOf, AdministeredAccount, assertAdministrator } from '../access.js';
import type { Context } from '../context.js';
import { DateTime } from '../scalars.js';
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
import { RoleEnum } from './member.js';

const PortalSchemeEnum = enumType('PortalScheme', portalSchemes, {
  description: 'Light or dark; `system` follows the device of the customer.',
});

/** The colours of a portal. An input may leave some out. */
@ObjectType('PortalTheme', {
  description: 'The colours of a portal; null is the colour of the service.',
})
@InputType('PortalThemeInput')
class PortalThemeType implements PortalTheme {
  @Field(() => PortalSchemeEnum, { nullable: true })
  scheme!: PortalScheme | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Colour of buttons and links, as `#rrggbb`. A colour with too little contrast is not used.',
  })
  accent!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Background of the page, as `#rrggbb`. A colour with too little contrast is not used.',
  })
  background!: string | null;
}

/** Who may frame the portal of an account, and how it looks. */
@ObjectType('PortalSettings')
class PortalSettingsType implements PortalSettingsView {
  @Field(() => [String], { description: 'The origins that may frame the portal.' })
  origins!: readonly string[];

  @Field(() => PortalThemeType)
  theme!: PortalTheme;

  @Field(() => String, { nullable: true, description: 'A `data:` URL.' })
  logo!: string | null;
}

@InputType('UpdatePortalSettingsInput')
class UpdatePortalSettingsInput implements PortalSettingsInput {
  @Field(() => ID, { nullable: true, description: 'Required from an internal credential.' })
  account?: string | null;

  @Field(() => [String], {
    nullable: true,
    description:
      'All origins that may frame the portal, at most 10: `https://…`, or `http://localhost:…`. Absent: unchanged.',
  })
  origins?: string[] | null;

  @Field(() => PortalThemeType, { nullable: true, description: 'Absent: unchanged.' })
  theme?: PortalThemeInput | null;

  @Field(() => String, {
    nullable: true,
    description:
      'A PNG, JPEG or WebP of at most 32 KiB as a `data:` URL. Null removes it. Absent: unchanged.',
  })
  logo?: string | null;
}

@InputType('CreatePortalLinkInput')
class CreatePortalLinkInput implements PortalLinkInput {
  @Field(() => ID, { nullable: true, description: 'Required from an internal credential.' })
  account?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The member for whom the session acts. A member can only name themselves.',
  })
  member?: string | null;

  @Field(() => RoleEnum, {
    nullable: true,
    description: 'What the session may do without a member: `developer` or `viewer`.',
  })
  role?: Role | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How long the link can be used: 60 to 604,800 seconds. Defaults to 900.',
  })
  ttlSeconds?: number | null;

  @Field(() => PortalThemeType, {
    nullable: true,
    description: 'Overrides the theme of the settings.',
  })
  theme?: PortalThemeInput | null;
}

/** A new portal link. */
@ObjectType('PortalLink')
class PortalLinkType implements MadePortalLink {
  @Field(() => ID)
  id!: string;

  @Field(() => String, {
    description: 'Opens one session. No later response shows it. Its fragment is the secret.',
  })
  url!: string;

  @Field(() => DateTime)
  expiresAt!: Date;
}

/** A portal link that has not been used and has not expired. */
@ObjectType('UnusedPortalLink')
class UnusedPortalLinkType implements PortalLinkView {
  @Field(() => ID)
  id!: string;

  @Field(() => ID, { nullable: true, description: 'Null when it acts for a role.' })
  memberId!: string | null;

  @Field(() => RoleEnum)
  role!: Role;

  @Field(() => ID, {
    nullable: true,
    description: 'The member who made it; null for an operator.',
  })
  makerId!: string | null;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime)
  expiresAt!: Date;
}

/** A browser session that a portal link opened. */
@ObjectType('PortalSession')
class PortalSessionType implements PortalSessionView {
  @Field(() => ID)
  id!: string;

  @Field(() => ID, { description: 'The link that opened it.' })
  linkId!: string;

  @Field(() => ID, { nullable: true, description: 'Null when it acts for a role.' })
  memberId!: string | null;

  @Field(() => RoleEnum)
  role!: Role;

  @Field(() => String, { description: 'The User-Agent of the browser, truncated.' })
  userAgent!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Updated at most once a minute.' })
  lastUsedAt!: Date;

  @Field(() => DateTime, { description: 'When it ends without further use.' })
  expiresAt!: Date;
}

/** The role of a portal session, and how its pages look. */
@ObjectType('PortalLook')
export class PortalLookType implements PortalLook {
  @Field(() => RoleEnum)
  role!: Role;

  @Field(() => PortalThemeType, {
    description: 'The theme of the settings, overridden by that of the link.',
  })
  theme!: PortalTheme;
}

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
      'Creates a link that opens one portal session, for a member or a role. For sessions of owners and admins.',
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
