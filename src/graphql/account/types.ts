import { Field, ID, InputType, ObjectType } from '../type-graphql.js';
import type { Account, Member } from '../../domain/account/account.entity.js';
import type { IssuedCredential, CredentialView } from '../../domain/account/credentials.js';
import {
  type KeyLevel,
  keyLevels,
  type Level,
  levels,
  type Role,
  roles,
} from '../../domain/account/permission.js';
import { type CredentialKind, credentialKinds } from '../../domain/account/token.js';
import { enumType } from '../enum-type.js';
import { DateTime } from '../scalars.js';

/** The role of a member. */
export const RoleEnum = enumType('Role', roles);

const CredentialKindEnum = enumType('CredentialKind', credentialKinds);

/** The level of a credential; `restricted` has one for each area. */
const CredentialLevelEnum = enumType('CredentialLevel', keyLevels);

/** The access of a credential to an area. */
export const PermissionLevelEnum = enumType('PermissionLevel', levels);

/** The owner of all other objects. */
@ObjectType('Account')
export class AccountType implements Pick<
  Account,
  'id' | 'name' | 'sendsTraceparent' | 'createdAt'
> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Boolean, {
    description: 'Whether its receivers get the `traceparent` of the publisher.',
  })
  sendsTraceparent!: boolean;

  @Field(() => DateTime)
  createdAt!: Date;
}

/** A person who acts for an account. */
@ObjectType('Member')
export class MemberType implements Pick<Member, 'id' | 'email' | 'role' | 'createdAt'> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  email!: string;

  @Field(() => RoleEnum)
  role!: Role;

  @Field(() => DateTime)
  createdAt!: Date;
}

/** A credential without its token. */
@ObjectType('Credential')
export class CredentialType implements Omit<CredentialView, 'accountId'> {
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
export class IssuedCredentialType implements IssuedCredential {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  token!: string;
}

@InputType('CreateAccountInput')
export class CreateAccountInput {
  @Field(() => String)
  name!: string;
}

@InputType('CreateMemberInput')
export class CreateMemberInput {
  @Field(() => ID)
  account!: string;

  @Field(() => String)
  email!: string;

  @Field(() => RoleEnum)
  role!: Role;
}

@InputType('ChangeMemberRoleInput')
export class ChangeMemberRoleInput {
  @Field(() => ID)
  account!: string;

  @Field(() => ID)
  member!: string;

  @Field(() => RoleEnum)
  role!: Role;
}

@InputType('CreateCredentialInput')
export class CreateCredentialInput {
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
    description: 'Makes a restricted key. Defaults to none when the other level is given.',
  })
  webhooks?: Level | null;

  @Field(() => PermissionLevelEnum, {
    nullable: true,
    description: 'Makes a restricted key. Defaults to none when the other level is given.',
  })
  orders?: Level | null;
}
