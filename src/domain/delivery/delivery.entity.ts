import { Check, Column, Entity, Index, PrimaryColumn } from '../typeorm.js';
import type { DeliveryStatus } from './attempt-result.js';
import type { AttemptPhase } from './outcome.js';
import type { Header } from './evidence.js';

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

/** What is kept of an attempt beside its record. Its partition lives as long as that of the record. */
@Entity('delivery_evidence')
export class DeliveryEvidence {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  deliveryId!: string;

  @Column('text')
  url!: string;

  @Column('json')
  requestHeaders!: readonly Header[];

  /** In which the attempt ended; null when nothing was dialled. */
  @Column({ type: 'text', nullable: true })
  phase!: AttemptPhase | null;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', nullable: true })
  tlsVersion!: string | null;

  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  @Column({ type: 'integer', nullable: true })
  lookupMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  connectMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  tlsMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  firstByteMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  totalMs!: number | null;

  @Column({ type: 'json', nullable: true })
  responseHeaders!: readonly Header[] | null;

  @Column({ type: 'bytea', nullable: true })
  body!: Buffer | null;

  @Column('boolean')
  bodyTruncated!: boolean;
}

/** The hour or the day that a row of statistics counts. */
export type Span = 'hour' | 'day';

/**
 * What was recorded of an endpoint, or of a whole account, in attempts that began within one hour or
 * one UTC day. A day has its row only once its hours are past their retention.
 */
@Entity('delivery_statistics')
@Index('delivery_statistics_by_age', ['span', 'startsAt'])
@Check('delivery_statistics_span_check', `span in ('hour', 'day')`)
export class DeliveryStatistics {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  /** Empty in the rows of the whole account. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  endpointId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  span!: Span;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  startsAt!: Date;

  @Column('integer')
  success!: number;

  @Column('integer')
  failed!: number;

  @Column('integer')
  abandoned!: number;

  /** Attempts after the first of their delivery. */
  @Column('integer')
  retries!: number;

  /** Which buckets of the histogram of durations are not empty, ascending. */
  @Column({ type: 'smallint', array: true })
  buckets!: number[];

  /** How many durations fell into each of `buckets`. */
  @Column({ type: 'integer', array: true })
  times!: number[];
}
