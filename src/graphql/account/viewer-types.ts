import { Field, ObjectType } from '../type-graphql.js';
import type { Level, Permissions } from '../../domain/account/permission.js';
import { AccountType, MemberType, PermissionLevelEnum } from './types.js';

/** What the caller may do in each area. */
@ObjectType('ViewerPermissions', { simpleResolvers: true })
export class ViewerPermissionsType implements Permissions {
  @Field(() => PermissionLevelEnum)
  webhooks!: Level;

  @Field(() => PermissionLevelEnum)
  orders!: Level;
}

/** Who calls. */
@ObjectType('Viewer', { simpleResolvers: true })
export class ViewerType {
  @Field(() => AccountType)
  account!: AccountType;

  @Field(() => MemberType, { description: 'The holder of the credential.' })
  member!: MemberType;

  @Field(() => ViewerPermissionsType, {
    description: 'For each area the lower of what the credential and the role of its holder allow.',
  })
  permissions!: ViewerPermissionsType;
}
