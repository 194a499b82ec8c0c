import type { Account } from '../../domain/account/account.entity.js';
import {
  type AccountTotals,
  createAccount,
  findAccounts,
  getAccount,
  listAccounts,
  type ListedAccount,
  readAccountTotals,
  setSendsTraceparent,
} from '../../domain/account/accounts.js';
import { Authorized } from '../access.js';
import type { Context } from '../context.js';
import { type PageOf, cursorPageType } from '../lists.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  Field,
  Float,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';

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

@InputType('CreateAccountInput')
class CreateAccountInput {
  @Field(() => String)
  name!: string;
}

const AccountPage = cursorPageType('AccountPage', AccountType);

@ObjectType('AccountTotals', {
  description: 'What an account has. Each count is at most 1,000, unless its field says otherwise.',
})
class AccountTotalsType implements AccountTotals {
  @Field(() => Int)
  members!: number;

  @Field(() => Int, { description: 'API keys that are not revoked.' })
  apiKeys!: number;

  @Field(() => Int)
  endpoints!: number;

  @Field(() => Int, { description: 'Open pending deliveries, counted up to 10,000.' })
  pending!: number;

  @Field(() => Boolean, { description: 'False when there are more than 10,000.' })
  pendingIsComplete!: boolean;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the account reached a limit. Its events are refused since then.',
  })
  fullSince!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Pending deliveries at the last count. Null while the account is below its limit.',
  })
  fullDeliveries!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'Bytes that the pending deliveries send, at the last count. Null while the account is below its limit.',
  })
  fullBytes!: number | null;
}

/** Accounts. Requires an internal credential. */
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
