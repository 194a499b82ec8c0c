import { Field, ID, InputType, ObjectType, registerEnumType } from '../type-graphql.js';
import type { Account } from '../../domain/account/account.entity.js';
import type { IssuedCredential, CredentialView } from '../../domain/account/credentials.js';
import type { Member } from '../../domain/account/member.entity.js';
import type { KeyLevel, Level, Role } from '../../domain/account/permission.js';
import type { CredentialKind } from '../../domain/account/token.js';
import { DateTime } from '../scalars.js';

/** What a member is (H89). */
const RoleEnum = {
  owner: 'owner',
  admin: 'admin',
  developer: 'developer',
  accountant: 'accountant',
  viewer: 'viewer',
} as const satisfies { [Name in Role]: Name };
registerEnumType(RoleEnum, { name: 'Role' });

/** What a credential is (H86). */
const CredentialKindEnum = {
  live: 'live',
  legacy: 'legacy',
  dashboard: 'dashboard',
  internal: 'internal',
} as const satisfies { [Name in CredentialKind]: Name };
registerEnumType(CredentialKindEnum, { name: 'CredentialKind' });

/** What a credential was issued for (H89); `restricted` has a level for each area (H118). */
const CredentialLevelEnum = {
  full: 'full',
  read: 'read',
  restricted: 'restricted',
} as const satisfies { [Name in KeyLevel]: Name };
registerEnumType(CredentialLevelEnum, { name: 'CredentialLevel' });

/** How much of an area a credential may use (H88). */
const PermissionLevelEnum = {
  none: 'none',
  read: 'read',
  write: 'write',
} as const satisfies { [Name in Level]: Name };
registerEnumType(PermissionLevelEnum, { name: 'PermissionLevel' });

/** Who owns everything else. */
@ObjectType('Account', { simpleResolvers: true })
export class AccountType implements Pick<Account, 'id' | 'name' | 'createdAt'> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => DateTime)
  createdAt!: Date;
}

/** Somebody who acts for an account. */
@ObjectType('Member', { simpleResolvers: true })
export class MemberType implements Omit<Member, 'accountId'> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  email!: string;

  @Field(() => RoleEnum)
  role!: Role;

  @Field(() => DateTime)
  createdAt!: Date;
}

/** A credential as it can be shown: its token is gone. */
@ObjectType('Credential', { simpleResolvers: true })
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
}

/** A credential at the only moment when its token is shown. */
@ObjectType('IssuedCredential', { simpleResolvers: true })
export class IssuedCredentialType implements IssuedCredential {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  token!: string;
}

/** What an account is made of. */
@InputType('CreateAccountInput')
export class CreateAccountInput {
  @Field(() => String)
  name!: string;
}

/** What a member is made of. */
@InputType('CreateMemberInput')
export class CreateMemberInput {
  @Field(() => ID)
  account!: string;

  @Field(() => String)
  email!: string;

  @Field(() => RoleEnum)
  role!: Role;
}

/** What a member becomes. */
@InputType('ChangeMemberRoleInput')
export class ChangeMemberRoleInput {
  @Field(() => ID)
  account!: string;

  @Field(() => ID)
  member!: string;

  @Field(() => RoleEnum)
  role!: Role;
}

/** What a credential is made of. */
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
