import { Arg, Authorized, Ctx, ID, Mutation, Query, Resolver } from '../type-graphql.js';
import type { Account } from '../../domain/account/account.entity.js';
import { createAccount, getAccount, listAccounts } from '../../domain/account/accounts.js';
import { setSendsTraceparent } from '../../domain/account/sends-traceparent.js';
import { type CredentialView, listCredentials } from '../../domain/account/credentials.js';
import type { RequiredPermission } from '../access.js';
import { AccountType, CreateAccountInput, CredentialType } from './types.js';
import type { Context } from '../context.js';

/** Accounts and their credentials. Requires an internal credential. */
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
