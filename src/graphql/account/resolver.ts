import { Arg, Authorized, Ctx, ID, Int, Mutation, Query, Resolver } from '../type-graphql.js';
import type { Account } from '../../domain/account/account.entity.js';
import {
  createAccount,
  getAccount,
  listAccounts,
  type AccountTotals,
  readAccountTotals,
  findAccounts,
  type ListedAccount,
  setSendsTraceparent,
} from '../../domain/account/accounts.js';
import { type CredentialView, listCredentials } from '../../domain/account/credentials.js';
import { AccountPage, AccountTotalsType } from './list-types.js';
import { AccountType, CreateAccountInput, CredentialType } from './types.js';
import type { Context } from '../context.js';
import type { PageOf } from '../cursor-page.js';

/** Accounts and their credentials. Requires an internal credential. */
@Resolver()
export class AccountResolver {
  @Authorized('internal')
  @Query(() => [AccountType])
  accounts(@Ctx() { read }: Context): Promise<Account[]> {
    return listAccounts(read);
  }

  @Authorized('internal')
  @Query(() => AccountPage, {
    description:
      'Accounts, newest first. With a search, the one with this id, or by name those whose names begin with it.',
  })
  findAccounts(
    @Ctx() { read }: Context,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('search', () => String, { nullable: true }) search?: string | null,
  ): Promise<PageOf<ListedAccount>> {
    return findAccounts(read, search ?? '', { limit, cursor });
  }

  @Authorized('internal')
  @Query(() => AccountTotalsType)
  accountTotals(
    @Ctx() { read }: Context,
    @Arg('account', () => ID) account: string,
  ): Promise<AccountTotals> {
    return readAccountTotals(read, account);
  }

  @Authorized('internal')
  @Query(() => AccountType)
  account(@Ctx() { read }: Context, @Arg('id', () => ID) id: string): Promise<Account> {
    return getAccount(read, id);
  }

  @Authorized('internal')
  @Query(() => [CredentialType])
  credentials(
    @Ctx() { read }: Context,
    @Arg('account', () => ID) account: string,
  ): Promise<CredentialView[]> {
    return listCredentials(read, account);
  }

  @Authorized('internal')
  @Mutation(() => AccountType)
  createAccount(
    @Ctx() { transact }: Context,
    @Arg('input', () => CreateAccountInput) input: CreateAccountInput,
  ): Promise<Account> {
    return transact((tx) => createAccount(tx, input));
  }

  @Authorized('internal')
  @Mutation(() => AccountType, {
    description: 'Sets whether receivers of the account get the `traceparent` of the publisher.',
  })
  setSendsTraceparent(
    @Ctx() { transact }: Context,
    @Arg('account', () => ID) account: string,
    @Arg('sends', () => Boolean) sends: boolean,
  ): Promise<Account> {
    return transact((tx) => setSendsTraceparent(tx, account, sends));
  }
}
