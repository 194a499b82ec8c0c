import { Ctx, Query, Resolver } from '../type-graphql.js';
import type { Account, Member } from '../../domain/account/account.entity.js';
import { getAccount, getMember } from '../../domain/account/accounts.js';
import type { Permissions } from '../../domain/account/permission.js';
import { isId } from '../../domain/id.js';
import { findPortalLook, type PortalLook } from '../../domain/portal/portal-settings.js';
import type { Context } from '../context.js';
import { ViewerType } from './viewer-types.js';

interface Caller {
  readonly account: Account;
  readonly member: Member | null;
  readonly portal: PortalLook | null;
  readonly permissions: Permissions;
}

/** Who calls, for every credential. */
@Resolver()
export class ViewerResolver {
  @Query(() => ViewerType, { description: 'Who calls, and what they may do.' })
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
