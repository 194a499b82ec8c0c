import type { Account, Member } from '../../domain/account/account.entity.js';
import { getAccount, getMember } from '../../domain/account/accounts.js';
import type { Level, Permissions } from '../../domain/account/permission.js';
import { isId } from '../../domain/values/id.js';
import { findPortalLook, type PortalLook } from '../../domain/portal/portal-settings.js';
import type { Context } from '../context.js';
import { Ctx, Field, ObjectType, Query, Resolver } from '../type-graphql.js';
import { AccountType } from './account.js';
import { PermissionLevelEnum } from './credential.js';
import { MemberType } from './member.js';
import { PortalLookType } from './portal.js';

/** What the caller may do in each area. */
@ObjectType('ViewerPermissions')
class ViewerPermissionsType implements Permissions {
  @Field(() => PermissionLevelEnum)
  webhooks!: Level;

  @Field(() => PermissionLevelEnum)
  orders!: Level;
}

/** Who calls. */
@ObjectType('Viewer')
class ViewerType {
  @Field(() => AccountType)
  account!: AccountType;

  @Field(() => MemberType, {
    nullable: true,
    description: 'The holder of the credential; null in a portal session for a role.',
  })
  member!: MemberType | null;

  @Field(() => PortalLookType, { nullable: true, description: 'Only in a portal session.' })
  portal!: PortalLookType | null;

  @Field(() => ViewerPermissionsType, {
    description: 'For each area the lower of what the credential and the role of its holder allow.',
  })
  permissions!: ViewerPermissionsType;
}

interface Caller {
  readonly account: Account;
  readonly member: Member | null;
  readonly portal: PortalLook | null;
  readonly permissions: Permissions;
}

/** Who calls, for every credential. */
@Resolver()
export class ViewerResolver {
  @Query(() => ViewerType, { description: 'The caller and its permissions.' })
  async viewer(@Ctx() { viewer, read }: Context): Promise<Caller> {
    const { account: id, member: memberId, credential, permissions } = viewer;
    const [account, member, portal] = await Promise.all([
      getAccount(read, id),
      memberId === null ? null : getMember(read, id, memberId),
      isId('pse', credential) ? findPortalLook(read, id, credential) : null,
    ]);
    return { account, member, portal, permissions };
  }
}
