import { Check, Column, Entity, Index, PrimaryColumn } from '../typeorm.js';
import type { DeliveryStatus } from './rules/attempt-result.js';

/**
 * The record of one attempt. It lives in the partition of its week, which is dropped 40 days later.
 */
@Entity('delivery')
@Index('delivery_of_replay', ['pendingDeliveryId'], {
  where: 'replayed_from is not null and attempt = 1',
})
@Index('delivery_by_event', ['eventId'])
// On expressions, which TypeORM does not compare.
@Index('delivery_by_endpoint', { synchronize: false })
@Index('delivery_by_type_and_status', { synchronize: false })
@Index('delivery_by_endpoint_and_type', { synchronize: false })
@Index('delivery_by_account_and_status', { synchronize: false })
@Index('delivery_written_late', ['accountId', 'xid'], {
  where: `written_at - created_at > interval '2 seconds'`,
})
@Check('delivery_status_check', `status in ('success', 'failed', 'abandoned')`)
export class Delivery {
  /** Begins with the time, by which the table is partitioned. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column({ type: 'text', collation: 'C' })
  endpointId!: string;

  /** The pending delivery that the attempt belonged to. */
  @Column({ type: 'text', collation: 'C' })
  pendingDeliveryId!: string;

  @Column({ type: 'text', collation: 'C' })
  eventId!: string;

  @Column('text')
  eventType!: string;

  @Column('text')
  eventVersion!: string;

  @Column('integer')
  attempt!: number;

  @Column('integer')
  maxAttempts!: number;

  /** `failed` if another attempt follows, `abandoned` if none does. */
  @Column('text')
  status!: DeliveryStatus;

  @Column('boolean')
  test!: boolean;

  /** The record that was replayed; null unless this is a replay. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  replayedFrom!: string | null;

  /** Null when the receiver sent no valid response. */
  @Column({ type: 'integer', nullable: true })
  responseStatus!: number | null;

  /** Short code of the failure; null after a success. */
  @Column({ type: 'text', nullable: true })
  failureReason!: string | null;

  /** Null when nothing was sent. */
  @Column({ type: 'integer', nullable: true })
  durationMs!: number | null;

  /** When the attempt started. */
  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When the 2xx arrived; null without one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deliveredAt!: Date | null;

  /** The transaction that wrote it, for the stream; null from before there was one. */
  @Column({ type: 'xid8' as 'bigint', nullable: true, default: () => 'pg_current_xact_id()' })
  xid!: string | null;

  /** When it was written, by PostgreSQL's clock. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'clock_timestamp()' })
  writtenAt!: Date | null;
}
