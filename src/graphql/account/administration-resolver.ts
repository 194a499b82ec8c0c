import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import {
  addMember,
  assignRole,
  endCredential,
  issueCredential,
  listPeople,
  removeMember,
} from '../../domain/account/administer.js';
import {
  type IssuedCredential,
  type CredentialView,
  listApiKeys,
} from '../../domain/account/credentials.js';
import type { Member } from '../../domain/account/account.entity.js';
import { accountOf, assertAdministrator } from '../access.js';
import type { Context } from '../context.js';
import { AdministeredAccount } from '../owner.js';
import {
  ChangeMemberRoleInput,
  CreateCredentialInput,
  CreateMemberInput,
  CredentialType,
  IssuedCredentialType,
  MemberType,
} from './types.js';

/** Members and credentials, for sessions of owners and admins, and for operators. */
@Resolver()
export class AdministrationResolver {
  @Query(() => [MemberType], {
    description:
      'The people of the account, oldest first, at most 200. For sessions of owners and admins.',
  })
  members(@Ctx() { read }: Context, @AdministeredAccount() account: string): Promise<Member[]> {
    return listPeople(read, account);
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

  @Mutation(() => MemberType, { description: 'Only an owner adds an owner.' })
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
    const owner = await accountOf(context, account);
    await context.transact((tx) => removeMember(tx, by, owner, id));
    return true;
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
    const owner = by === null ? (account ?? null) : await accountOf(context, account);
    await context.transact((tx) => endCredential(tx, by, owner, id));
    return true;
  }
}
