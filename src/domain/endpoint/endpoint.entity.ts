import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from '../typeorm.js';
import { Account } from '../account/account.entity.js';
import type { DisabledReason } from '../disabled-reason.js';

/** An HTTPS address that receives the events of the types it subscribes to. */
@Entity('endpoint')
@Index('endpoint_by_account', ['accountId', 'id'], { where: 'deleted_at is null' })
@Index('endpoint_by_deletion', ['deletedAt'], { where: 'deleted_at is not null' })
@Index('endpoint_cancelling', ['id'], { where: 'cancelling_since is not null' })
@Check('endpoint_event_types_check', 'cardinality(event_types) > 0')
@Check(
  'endpoint_disabled_reason_check',
  `disabled_reason in ('consecutive_failures', 'receiver_gone')`,
)
export class Endpoint {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Account, { name: 'endpoint_account_id_fkey' })
  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column('text')
  url!: string;

  @Column('boolean')
  active!: boolean;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column('text')
  notificationEmail!: string;

  @Column({ type: 'text', array: true })
  eventTypes!: string[];

  @Column({ type: 'text', nullable: true })
  disabledReason!: DisabledReason | null;

  /** When the unbroken run of failed attempts began; null while there is none (H69). */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  failingSince!: Date | null;

  /** Failed attempts in that run. */
  @Column({ type: 'integer', default: 0 })
  failureCount!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  /** Set once and for all; the row stays as long as its delivery records do (H22). */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null;

  /**
   * Set while more of its pending deliveries are to be cancelled than one transaction cancels, to the `updatedAt`
   * of the change that asked for it; nothing of the endpoint is claimed meanwhile.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cancellingSince!: Date | null;

  /**
   * Set with `cancellingSince` when the endpoint took nothing then: whatever is older is cancelled,
   * even if the endpoint is switched on again before that is done (H74).
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cancelBefore!: Date | null;

  /**
   * Set with `cancellingSince` when types were unsubscribed: what is as old as the moment beside its
   * type is cancelled, even if that type is subscribed again before that is done (H61).
   */
  @Column({ type: 'jsonb', nullable: true })
  cancelTypes!: Readonly<Record<string, string>> | null;
}

/** What the account sets of an endpoint. */
export const settableFields = [
  'url',
  'active',
  'description',
  'notificationEmail',
  'eventTypes',
] as const satisfies readonly (keyof Endpoint)[];

/**
 * What of an endpoint may leave the service; its owner and its health may not. Each that nobody needs
 * would cost every request about a microsecond.
 */
export const shownFields = [
  'id',
  ...settableFields,
  'disabledReason',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Endpoint)[];

/** See {@link settableFields}. */
export type SettableField = (typeof settableFields)[number];

/** See {@link shownFields}. */
export type EndpointView = Pick<Endpoint, (typeof shownFields)[number]>;
