import type { Member } from '../../domain/account/account.entity.js';
import {
  addMember,
  assignRole,
  listPeople,
  removeMember,
} from '../../domain/account/administer.js';
import { type Role, roles } from '../../domain/account/permission.js';
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
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';

/** The role of a member. */
export const RoleEnum = enumType('Role', roles);

/** A person who acts for an account, with a role. */
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

@InputType('CreateMemberInput')
class CreateMemberInput {
  @Field(() => ID)
  account!: string;

  @Field(() => String)
  email!: string;

  @Field(() => RoleEnum)
  role!: Role;
}

@InputType('ChangeMemberRoleInput')
class ChangeMemberRoleInput {
  @Field(() => ID)
  account!: string;

  @Field(() => ID)
  member!: string;

  @Field(() => RoleEnum)
  role!: Role;
}

/** The people of an account, for sessions of owners and admins, and for operators. */
@Resolver()
export class MemberResolver {
  @Query(() => [MemberType], {
    description:
      'The people of the account, oldest first, at most 200. For sessions of owners and admins.',
  })
  members(@Ctx() { read }: Context, @AdministeredAccount() account: string): Promise<Member[]> {
    return listPeople(read, account);
  }

  @Mutation(() => MemberType, { description: 'Only owners can add an owner.' })
  async createMember(
    @Ctx() context: Context,
    @Arg('input', () => CreateMemberInput) input: CreateMemberInput,
  ): Promise<Member> {
    const by = await assertAdministrator(context);
    await accountOf(context, input.account);
    return context.transact((tx) => addMember(tx, by, input));
  }

  @Mutation(() => MemberType, {
    description: 'Applies to the credentials of the member within a second.',
  })
  async changeMemberRole(
    @Ctx() context: Context,
    @Arg('input', () => ChangeMemberRoleInput) input: ChangeMemberRoleInput,
  ): Promise<Member> {
    const by = await assertAdministrator(context);
    const account = await accountOf(context, input.account);
    return context.transact((tx) => assignRole(tx, by, account, input.member, input.role));
  }

  @Mutation(() => Boolean, {
    description: 'Removes a member with its sessions and the credentials that it holds.',
  })
  async removeMember(
    @Ctx() context: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<boolean> {
    const by = await assertAdministrator(context);
    const accountId = await accountOf(context, account);
    await context.transact((tx) => removeMember(tx, by, accountId, id));
    return true;
  }
}
