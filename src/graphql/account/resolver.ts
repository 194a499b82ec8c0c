import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import type { Account } from '../../domain/account/account.entity.js';
import {
  changeRole,
  createAccount,
  createMember,
  getAccount,
  listAccounts,
} from '../../domain/account/accounts.js';
import {
  createCredential,
  type IssuedCredential,
  listCredentials,
  revokeCredential,
  type CredentialView,
} from '../../domain/account/credentials.js';
import type { Member } from '../../domain/account/member.entity.js';
import type { RequiredPermission } from '../access.js';
import {
  AccountType,
  ChangeMemberRoleInput,
  CreateAccountInput,
  CreateCredentialInput,
  CreateMemberInput,
  CredentialType,
  IssuedCredentialType,
  MemberType,
} from './types.js';
import type { Context } from '../context.js';

/** Accounts, their members and credentials. Requires an internal credential. */
@Resolver()
export class AccountResolver {
  @Authorized<RequiredPermission>('internal')
  @Query(() => [AccountType])
  accounts(@Ctx() { read }: Context): Promise<Account[]> {
    return listAccounts(read);
  }

  @Authorized<RequiredPermission>('internal')
  @Query(() => AccountType)
  account(@Ctx() { read }: Context, @Arg('id', () => ID) id: string): Promise<Account> {
    return getAccount(read, id);
  }

  @Authorized<RequiredPermission>('internal')
  @Query(() => [CredentialType])
  credentials(
    @Ctx() { read }: Context,
    @Arg('account', () => ID) account: string,
  ): Promise<CredentialView[]> {
    return listCredentials(read, account);
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => AccountType)
  createAccount(
    @Ctx() { transact }: Context,
    @Arg('input', () => CreateAccountInput) input: CreateAccountInput,
  ): Promise<Account> {
    return transact((tx) => createAccount(tx, input));
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => MemberType)
  createMember(
    @Ctx() { transact }: Context,
    @Arg('input', () => CreateMemberInput) input: CreateMemberInput,
  ): Promise<Member> {
    return transact((tx) => createMember(tx, input));
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => MemberType, {
    description: 'Applies to the credentials of the member within a second.',
  })
  changeMemberRole(
    @Ctx() { transact }: Context,
    @Arg('input', () => ChangeMemberRoleInput) { account, member, role }: ChangeMemberRoleInput,
  ): Promise<Member> {
    return transact((tx) => changeRole(tx, account, member, role));
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => IssuedCredentialType, { description: 'The only response that shows the token.' })
  createCredential(
    @Ctx() { transact }: Context,
    @Arg('input', () => CreateCredentialInput) input: CreateCredentialInput,
  ): Promise<IssuedCredential> {
    return transact((tx) => createCredential(tx, input));
  }

  @Authorized<RequiredPermission>('internal')
  @Mutation(() => Boolean)
  async revokeCredential(
    @Ctx() { transact }: Context,
    @Arg('id', () => ID) id: string,
    @Arg('account', () => ID, { nullable: true }) account?: string | null,
  ): Promise<boolean> {
    await transact((tx) => revokeCredential(tx, account ?? null, id));
    return true;
  }
}
