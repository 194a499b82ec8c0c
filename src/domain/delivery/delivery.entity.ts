import { Check, Column, Entity, Index, PrimaryColumn } from '../transaction/typeorm.js';
import type { DeliveryStatus } from './attempt-result.js';
import type { Lane } from './claim.js';
import type { Header } from './evidence.js';
import type { AttemptPhase } from './outcome.js';

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

  /** The transaction that wrote it, for the stream; null in rows that are older than the stream. */
  @Column({ type: 'xid8' as 'bigint', nullable: true, default: () => 'pg_current_xact_id()' })
  xid!: string | null;

  /** When it was written, by PostgreSQL's clock. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'clock_timestamp()' })
  writtenAt!: Date | null;
}

/** The evidence of an attempt, kept besides its record. Its partition lives as long as that of the record. */
@Entity('delivery_evidence')
export class DeliveryEvidence {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  deliveryId!: string;

  @Column('text')
  url!: string;

  @Column('json')
  requestHeaders!: readonly Header[];

  /** The phase in which the attempt ended; null when nothing was dialled. */
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
 * The statistics of an endpoint, or of a whole account: its attempts that began within one hour or one
 * UTC day. A day has its row only once its hours are past their retention.
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

/**
 * A pending delivery: the next attempt of one event to one endpoint. The transaction that publishes
 * the event writes it (the transactional outbox); the result that ends the delivery deletes it.
 */
@Entity('pending_delivery')
@Index('pending_delivery_ready', ['lane', 'accountId', 'endpointId', 'dueAt'], { where: 'ready' })
@Index('pending_delivery_waiting', ['dueAt'], { where: 'not ready and dead_letter_reason is null' })
@Index('pending_delivery_by_endpoint', ['endpointId', 'eventId'])
// Unique: the last defence against two at a time.
@Index('pending_delivery_open_subject', ['endpointId', 'subjectKey'], {
  unique: true,
  where: `subject_key is not null and due_at < 'infinity'`,
})
@Index('pending_delivery_in_order', ['endpointId', 'subjectKey', 'subjectNumber'], {
  where: `due_at = 'infinity'`,
})
@Index('pending_delivery_recovery_in_order', ['accountId', 'endpointId'], {
  where: `lane = 'recovery' and due_at = 'infinity'`,
})
@Index('pending_delivery_dead_letter', ['id'], { where: 'dead_letter_reason is not null' })
@Check('pending_delivery_lane_check', `lane in ('live', 'replay', 'recovery', 'isolated')`)
@Check('pending_delivery_check', 'attempt between 1 and max_attempts')
export class PendingDelivery {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column({ type: 'text', collation: 'C' })
  endpointId!: string;

  @Column({ type: 'text', collation: 'C' })
  eventId!: string;

  @Column({ type: 'text', collation: 'C' })
  eventType!: string;

  @Column({ type: 'text', collation: 'C' })
  lane!: Lane;

  /** Whether workers may claim it. A claim does not change it; see {@link leaseToken}. */
  @Column('boolean')
  ready!: boolean;

  /** `infinity` while it waits for its turn, see {@link subjectKey}. */
  @Column({ type: 'timestamptz', precision: 3 })
  dueAt!: Date;

  /** Number of the next attempt, from 1. */
  @Column('integer')
  attempt!: number;

  @Column('integer')
  maxAttempts!: number;

  @Column('boolean')
  test!: boolean;

  /** The delivery record that was replayed; null unless this is a replay. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  replayedFrom!: string | null;

  /** The record of the last attempt; null before the first one is recorded. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  lastDeliveryId!: string | null;

  /**
   * The lease of the worker that claimed it; null while it is unclaimed. Not indexed (ADR 0017).
   */
  @Column({ type: 'bigint', nullable: true })
  leaseToken!: number | null;

  /** How many claims in a row ended without a result. */
  @Column({ type: 'integer', default: 0 })
  interruptions!: number;

  /** Why it is a dead letter, which waits for an operator; null if it is not one. */
  @Column({ type: 'text', nullable: true })
  deadLetterReason!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** How many bytes the event has. */
  @Column({ type: 'integer', default: 0 })
  bodyBytes!: number;

  /** A hash of the subject whose deliveries go one at a time; null without order. */
  @Column({ type: 'uuid', nullable: true })
  subjectKey!: string | null;

  /** Its place in the order of that subject. */
  @Column({ type: 'bigint', nullable: true })
  subjectNumber!: string | null;
}

/** How long a worker holds what one statement claimed (ADR 0017). */
@Entity('lease')
@Index('lease_until', ['until'])
export class Lease {
  /** Chosen by the claiming process. */
  @PrimaryColumn('bigint')
  token!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  @Column({ type: 'text', array: true, collation: 'C' })
  pendingDeliveryIds!: string[];
}

/** The process that runs isolated deliveries; one row. */
@Entity('isolation_lock')
@Check('isolation_lock_id_check', 'id = 1')
export class IsolationLock {
  @PrimaryColumn('smallint')
  id!: number;

  @Column({ type: 'bigint', nullable: true })
  holder!: string | null;

  /** End of the lock, or of the cooldown after it. */
  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;
}

/** An account whose pending deliveries have reached a limit, so that its events are refused. */
@Entity('full_account')
export class FullAccount {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  /** How many it had when they were counted last, estimated from a sample in a large table. */
  @Column('bigint')
  pending!: string;

  /** How many bytes those send together, estimated in the same way. */
  @Column({ type: 'bigint', default: 0 })
  pendingBytes!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;
}

/** The time of the latest count of pending deliveries. There is one row, so that one worker counts for all. */
@Entity('full_account_count')
@Check('full_account_count_id_check', 'id = 1')
export class FullAccountCount {
  @PrimaryColumn('smallint')
  id!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  countedAt!: Date;
}
