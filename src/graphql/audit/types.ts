import { Field, ID, ObjectType } from '../type-graphql.js';
import type { AuditAction, FieldChange } from '../../domain/audit/audit-entry.entity.js';
import { auditActions } from '../../domain/audit/audit-entry.entity.js';
import type { AuditEntryView } from '../../domain/audit/audit-log.js';
import { type ActorKind, actorKinds } from '../../domain/actor.js';
import { pageType } from '../cursor-page.js';
import { enumType } from '../enum-type.js';
import { DateTime } from '../scalars.js';

/** The values of the filter. */
export const AuditActionEnum = enumType('AuditAction', auditActions, {
  description: 'What a change did.',
});

const ActorKindEnum = enumType('ActorKind', actorKinds, {
  description: 'How the author of a change was authenticated.',
});

/** A field that got another value. */
@ObjectType('FieldChange', {
  description: 'A field that got another value. Values that are secret or personal are absent.',
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
export const AuditEntryPage = pageType('AuditEntryPage', AuditEntryType, {
  description: 'A page can have fewer entries than its limit. Go on while it has a cursor.',
});
