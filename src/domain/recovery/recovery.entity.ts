import { Owned } from '../account/account.entity.js';
import { Check, Column, Entity, Index } from '../transaction/typeorm.js';

/** Which events a recovery sends again. */
export type RecoveryKind = (typeof recoveryKinds)[number];
export const recoveryKinds = ['failed', 'missed', 'both'] as const;

/** The state of a recovery; the last two are final. */
export type RecoveryStatus = (typeof recoveryStatuses)[number];
export const recoveryStatuses = ['running', 'paused', 'completed', 'cancelled'] as const;

/** Why a recovery is paused or cancelled. */
export type RecoveryReason = 'requested' | 'endpoint_inactive' | 'endpoint_deleted' | 'expired';

/** What a running recovery waits for before it adds deliveries. */
export type RecoveryWait = (typeof recoveryWaits)[number];
export const recoveryWaits = [
  'endpoint_failing',
  'endpoint_backlog',
  'cancellations',
  'account_full',
] as const;

/**
 * A job that sends an endpoint what it failed to take or missed. Its position and counts change in
 * the transaction that adds the deliveries, so a crash repeats nothing.
 */
@Entity('recovery')
@Index('recovery_key', ['accountId', 'idempotencyKey'], { unique: true })
@Index('recovery_of_account', ['accountId', 'id'])
@Index('recovery_active', ['endpointId'], {
  unique: true,
  where: `status in ('running', 'paused')`,
})
@Index('recovery_by_end', ['endedAt'], { where: 'ended_at is not null' })
@Check('recovery_what_check', `what in ('failed', 'missed', 'both')`)
@Check('recovery_rate_per_second_check', 'rate_per_second between 1 and 500')
@Check('recovery_status_check', `status in ('running', 'paused', 'completed', 'cancelled')`)
export class Recovery extends Owned {
  @Column({ type: 'text', collation: 'C' })
  endpointId!: string;

  @Column({ type: 'text', collation: 'C' })
  what!: RecoveryKind;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  /** Null for all types that the endpoint subscribes to at each step. */
  @Column({ type: 'text', array: true, nullable: true })
  eventTypes!: string[] | null;

  /** Whether it sends missed events from before the subscription. */
  @Column('boolean')
  includeBefore!: boolean;

  /** It adds at most this many deliveries a second. */
  @Column('integer')
  ratePerSecond!: number;

  @Column('text')
  idempotencyKey!: string;

  @Column('bytea')
  fingerprint!: Buffer;

  @Column({ type: 'text', collation: 'C' })
  status!: RecoveryStatus;

  @Column({ type: 'text', collation: 'C', nullable: true })
  reason!: RecoveryReason | null;

  @Column({ type: 'text', collation: 'C', nullable: true })
  waitsFor!: RecoveryWait | null;

  /** The id of the last event it has read; less than all ids of its range before the first. */
  @Column({ type: 'text', collation: 'C' })
  position!: string;

  /** Deliveries it added for events that the endpoint had failed to take. */
  @Column({ type: 'bigint', default: 0 })
  failed!: number;

  /** Deliveries it added for events without a record. */
  @Column({ type: 'bigint', default: 0 })
  missed!: number;

  /** The time up to which its steps have used its rate. */
  @Column({ type: 'timestamptz', precision: 3 })
  creditedAt!: Date;

  /** When its next step is due, while it runs. */
  @Column({ type: 'timestamptz', precision: 3 })
  nextStepAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /** When it was completed or cancelled; null while it is active. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  endedAt!: Date | null;
}
