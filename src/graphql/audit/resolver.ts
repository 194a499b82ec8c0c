import { Arg, Ctx, ID, Int, Query, Resolver } from '../type-graphql.js';
import type { AuditAction } from '../../domain/audit/audit-entry.entity.js';
import { type AuditEntryView, listAuditLog } from '../../domain/audit/audit-log.js';
import type { Context } from '../context.js';
import type { PageOf } from '../cursor-page.js';
import { AdministeredAccount } from '../owner.js';
import { DateTime } from '../scalars.js';
import { AuditActionEnum, AuditEntryPage } from './types.js';

/** The audit log of an account, for those who administer it. Operators must name `account`. */
@Resolver()
export class AuditResolver {
  @Query(() => AuditEntryPage, {
    description:
      'The changes of the account in the last year, newest first. For sessions of owners and admins.',
  })
  async auditLog(
    @Ctx() context: Context,
    @AdministeredAccount() owner: string,
    @Arg('limit', () => Int, { defaultValue: 20 }) limit: number,
    @Arg('cursor', () => String, { nullable: true }) cursor?: string | null,
    @Arg('member', () => ID, { nullable: true, description: 'Who made the change.' })
    member?: string | null,
    @Arg('action', () => AuditActionEnum, { nullable: true }) action?: AuditAction | null,
    @Arg('resource', () => ID, { nullable: true, description: 'The id of what was changed.' })
    resource?: string | null,
    @Arg('since', () => DateTime, { nullable: true }) since?: Date | null,
    @Arg('until', () => DateTime, {
      nullable: true,
      description: 'The end of the range, exclusive.',
    })
    until?: Date | null,
    @Arg('field', () => String, {
      nullable: true,
      description: 'A field that the change gave another value, as `changes` names it.',
    })
    field?: string | null,
  ): Promise<PageOf<AuditEntryView>> {
    const filter = { member, action, resource, field, since, until };
    const { data, page } = await listAuditLog(context.read, owner, filter, { limit, cursor });
    const isOperator = context.viewer.kind === 'internal';
    return { data: isOperator ? data : data.map(withoutOperator), page };
  }
}

/** Merchants learn that an operator changed something, not which one. */
function withoutOperator(entry: AuditEntryView): AuditEntryView {
  if (entry.actorKind !== 'operator' && entry.actorKind !== 'command') return entry;
  const unknown = { credentialId: null, memberId: null, memberEmail: null };
  return { ...entry, ...unknown, address: null, userAgent: null };
}
