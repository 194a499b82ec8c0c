import { Ctx, Query, Resolver } from '../type-graphql.js';
import type { Account } from '../../domain/account/account.entity.js';
import { getAccount, getMember } from '../../domain/account/accounts.js';
import type { Member } from '../../domain/account/member.entity.js';
import type { Permissions } from '../../domain/account/permission.js';
import type { Context } from '../context.js';
import { ViewerType } from './viewer-types.js';

interface Caller {
  readonly account: Account;
  readonly member: Member;
  readonly permissions: Permissions;
}

/** Who calls, for every credential. */
@Resolver()
export class ViewerResolver {
  @Query(() => ViewerType, { description: 'Who calls, and what they may do.' })
  async viewer(@Ctx() { viewer, read }: Context): Promise<Caller> {
    const [account, member] = await Promise.all([
      getAccount(read, viewer.account),
      getMember(read, viewer.account, viewer.member),
    ]);
    return { account, member, permissions: viewer.permissions };
  }
}
