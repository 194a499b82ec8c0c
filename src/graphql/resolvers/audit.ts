import { type ActorKind, actorKinds } from '../../domain/transaction/actor.js';
import {
  type AuditAction,
  auditActions,
  type FieldChange,
} from '../../domain/audit/audit-entry.entity.js';
import { type AuditEntryView, listAuditLog } from '../../domain/audit/audit-log.js';
import { AdministeredAccount } from '../access.js';
import type { Context } from '../context.js';
import { type PageOf, cursorPageType } from '../lists.js';
import { DateTime } from '../scalars.js';
import {
  Arg,
  Ctx,
  enumType,
  Field,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
} from '../type-graphql.js';

const AuditActionEnum = enumType('AuditAction', auditActions, {
  description: 'The kind of change.',
});

const ActorKindEnum = enumType('ActorKind', actorKinds, {
  description: 'How the author of a change was authenticated.',
});

@ObjectType('FieldChange', {
  description: 'A field whose value changed. Secret and personal values are absent.',
})
class FieldChangeType implements FieldChange {
  @Field(() => String)
  field!: string;

  @Field(() => String, { nullable: true })
  from?: string | null;

  @Field(() => String, { nullable: true })
  to?: string | null;
}

/** One change of the audit log. */
@ObjectType('AuditEntry')
class AuditEntryType implements AuditEntryView {
  @Field(() => ID)
  id!: string;

  @Field(() => AuditActionEnum)
  action!: AuditAction;

  @Field(() => ID, {
    nullable: true,
    description: 'The resource that changed. Null when several changed.',
  })
  resourceId!: string | null;

  @Field(() => ActorKindEnum)
  actorKind!: ActorKind;

  @Field(() => ID, { nullable: true, description: 'The session or the credential.' })
  credentialId!: string | null;

  @Field(() => ID, { nullable: true })
  memberId!: string | null;

  @Field(() => String, { nullable: true, description: 'The address of the member at that time.' })
  memberEmail!: string | null;

  @Field(() => String, { nullable: true, description: 'The IP address.' })
  address!: string | null;

  @Field(() => String, { nullable: true, description: 'The User-Agent, truncated.' })
  userAgent!: string | null;

  @Field(() => [FieldChangeType])
  changes!: readonly FieldChange[];

  @Field(() => DateTime)
  createdAt!: Date;
}

/** Changes of an account, newest first. */
const AuditEntryPage = cursorPageType('AuditEntryPage', AuditEntryType, {
  description: 'A page can have fewer entries than its limit. Go on while it has a cursor.',
});

/** The audit log of an account, for its administrators. Operators must name `account`. */
@Resolver()
export class AuditResolver {
  @Query(() => AuditEntryPage, {
    description:
      'The changes of the account in the last year, newest first. For sessions of owners and admins.',
  })
  async auditLog(
    @Ctx() context: Context,
    @AdministeredAccount() account: string,
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
    const { data, page } = await listAuditLog(context.read, account, filter, { limit, cursor });
    const isOperator = context.viewer.kind === 'internal';
    return { data: isOperator ? data : data.map(withoutOperator), page };
  }
}

/** Merchants learn that an operator changed something, but not which operator. */
function withoutOperator(entry: AuditEntryView): AuditEntryView {
  if (entry.actorKind !== 'operator' && entry.actorKind !== 'command') return entry;
  const unknown = { credentialId: null, memberId: null, memberEmail: null };
  return { ...entry, ...unknown, address: null, userAgent: null };
}
