import type { ActorKind } from '../transaction/actor.js';
import { Check, Column, Entity, Index, PrimaryColumn } from '../transaction/typeorm.js';

/** The kind of a change. */
export type AuditAction = (typeof auditActions)[number];
export const auditActions = [
  'account_created',
  'account_updated',
  'account_erasure_started',
  'buyer_erasure_started',
  'checkout_created',
  'credential_created',
  'credential_revoked',
  'dead_letter_released',
  'delivery_given_up',
  'delivery_replayed',
  'endpoint_created',
  'endpoint_deleted',
  'endpoint_options_changed',
  'endpoint_updated',
  'event_type_put',
  'event_type_retired',
  'event_type_unlisted',
  'isolated_deliveries_released',
  'member_created',
  'member_removed',
  'member_role_changed',
  'offer_cancelled',
  'offer_created',
  'offer_sent',
  'payment_recorded',
  'payment_refunded',
  'portal_link_created',
  'portal_link_revoked',
  'portal_session_ended',
  'portal_session_opened',
  'portal_settings_updated',
  'public_key_rotated',
  'rate_limit_changed',
  'recovery_cancelled',
  'recovery_paused',
  'recovery_resumed',
  'recovery_started',
  'session_ended',
  'session_opened',
  'sign_in_link_printed',
  'signing_secret_rotated',
  'test_event_sent',
] as const;

/** A changed field. Both values are absent if they are secret or personal. */
export interface FieldChange {
  /** The name of the field, as the public interface spells it. */
  readonly field: string;
  readonly from?: string | null;
  readonly to?: string | null;
}

/**
 * A change that a person or a program made. The entry is written in the transaction of the change and stays as it
 * is. It has no foreign keys, because the rows that it names may be deleted.
 */
@Entity('audit_entry')
@Index('audit_entry_by_account', ['accountId', 'id'])
@Check(
  'audit_entry_actor_kind_check',
  `actor_kind in ('session', 'dashboard_token', 'api_key', 'operator', 'command', 'portal')`,
)
export class AuditEntry {
  /** Begins with the time, so ids sort by time. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column({ type: 'text', collation: 'C' })
  action!: AuditAction;

  /** The id of what was changed; null if the change is about several things. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  resourceId!: string | null;

  @Column({ type: 'text', collation: 'C' })
  actorKind!: ActorKind;

  /** The id of the session or the credential; null for a command. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  credentialId!: string | null;

  @Column({ type: 'text', collation: 'C', nullable: true })
  memberId!: string | null;

  /** The address of the member at that time. */
  @Column({ type: 'text', nullable: true })
  memberEmail!: string | null;

  /** The IP address. */
  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'jsonb' })
  changes!: readonly FieldChange[];

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
