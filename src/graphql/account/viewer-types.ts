import { Field, ObjectType } from '../type-graphql.js';
import type { Level, Permissions } from '../../domain/account/permission.js';
import { PortalLookType } from '../portal/types.js';
import { AccountType, MemberType, PermissionLevelEnum } from './types.js';

/** What the caller may do in each area. */
@ObjectType('ViewerPermissions')
export class ViewerPermissionsType implements Permissions {
  @Field(() => PermissionLevelEnum)
  webhooks!: Level;

  @Field(() => PermissionLevelEnum)
  orders!: Level;
}

/** Who calls. */
@ObjectType('Viewer')
export class ViewerType {
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
