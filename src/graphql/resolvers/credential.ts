import { endCredential, issueCredential } from '../../domain/account/administer.js';
import {
  type CredentialView,
  type IssuedCredential,
  listApiKeys,
  listCredentials,
} from '../../domain/account/credentials.js';
import {
  type KeyLevel,
  keyLevels,
  type Level,
  levels,
  type Role,
} from '../../domain/account/permission.js';
import { type CredentialKind, credentialKinds } from '../../domain/account/token.js';
import { accountOf, AdministeredAccount, assertAdministrator, Authorized } from '../access.js';
import type { Context } from '../context.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';
import { RoleEnum } from './member.js';

const CredentialKindEnum = enumType('CredentialKind', credentialKinds);

/** The level of a credential; `restricted` has one for each area. */
const CredentialLevelEnum = enumType('CredentialLevel', keyLevels);

/** The access of a credential to an area. */
export const PermissionLevelEnum = enumType('PermissionLevel', levels);

/** A credential without its token. */
@ObjectType('Credential')
class CredentialType implements Omit<CredentialView, 'accountId'> {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  memberId!: string;

  @Field(() => CredentialKindEnum)
  kind!: CredentialKind;

  @Field(() => CredentialLevelEnum)
  level!: KeyLevel;

  @Field(() => PermissionLevelEnum, {
    description: 'Its own level for webhooks. The role of its holder can lower it.',
  })
  webhooks!: Level;

  @Field(() => PermissionLevelEnum, {
    description: 'Its own level for orders. The role of its holder can lower it.',
  })
  orders!: Level;

  @Field(() => String, { description: 'The last characters of its token.' })
  last4!: string;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true })
  expiresAt!: Date | null;

  @Field(() => DateTime, { nullable: true })
  revokedAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'At most an hour late. Null when it was not used yet.',
  })
  lastUsedAt!: Date | null;
}

/** A new credential, with the token that no later response shows. */
@ObjectType('IssuedCredential')
class IssuedCredentialType implements IssuedCredential {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  token!: string;
}

@InputType('CreateCredentialInput')
class CreateCredentialInput {
  @Field(() => ID)
  account!: string;

  @Field(() => CredentialKindEnum)
  kind!: CredentialKind;

  @Field(() => ID, { nullable: true, description: 'Its holder. Defaults to a new member.' })
  member?: string | null;

  @Field(() => RoleEnum, { nullable: true, description: 'Role of the holder. Defaults to owner.' })
  role?: Role | null;

  @Field(() => CredentialLevelEnum, {
    nullable: true,
    description: 'Defaults to full, and to restricted when `webhooks` or `orders` is given.',
  })
  level?: KeyLevel | null;

  @Field(() => PermissionLevelEnum, {
    nullable: true,
    description: 'Creates a restricted key. Defaults to none if the other level is given.',
  })
  webhooks?: Level | null;

  @Field(() => PermissionLevelEnum, {
    nullable: true,
    description: 'Creates a restricted key. Defaults to none if the other level is given.',
  })
  orders?: Level | null;
}

/** API keys, for sessions of owners and admins, and for operators; all credentials of an account, for operators. */
@Resolver()
export class CredentialResolver {
  @Authorized('internal')
  @Query(() => [CredentialType])
  credentials(
    @Ctx() { read }: Context,
    @Arg('account', () => ID) account: string,
  ): Promise<CredentialView[]> {
    return listCredentials(read, account);
  }

  @Query(() => [CredentialType], {
    description:
      'The API keys that are not revoked, newest first, at most 200. For sessions of owners and admins.',
  })
  apiKeys(
    @Ctx() { read }: Context,
    @AdministeredAccount() account: string,
  ): Promise<CredentialView[]> {
    return listApiKeys(read, account);
  }

  @Mutation(() => IssuedCredentialType, {
    description:
      'The only response that shows the token. Owners and admins create API keys of the kind live.',
  })
  async createCredential(
    @Ctx() context: Context,
    @Arg('input', () => CreateCredentialInput) input: CreateCredentialInput,
  ): Promise<IssuedCredential> {
    const by = await assertAdministrator(context);
    await accountOf(context, input.account);
    return context.transact((tx) => issueCredential(tx, by, input));
  }

  @Mutation(() => Boolean, { description: 'Owners and admins revoke API keys of their account.' })
  async revokeCredential(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<boolean> {
    const by = await assertAdministrator(context);
    const accountId = by === null ? (account ?? null) : await accountOf(context, account);
    await context.transact((tx) => endCredential(tx, by, accountId, id));
    return true;
  }
}
