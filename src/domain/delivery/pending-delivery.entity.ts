import { Check, Column, Entity, Index, PrimaryColumn } from '../typeorm.js';
import type { Lane } from './claim.js';

/**
 * A pending delivery: the next attempt of one event to one endpoint. The transaction that publishes
 * the event writes it (the transactional outbox); the result that ends the delivery deletes it.
 */
@Entity('pending_delivery')
@Index('pending_delivery_ready', ['lane', 'accountId', 'endpointId', 'dueAt'], { where: 'ready' })
@Index('pending_delivery_waiting', ['dueAt'], { where: 'not ready and dead_letter_reason is null' })
@Index('pending_delivery_by_endpoint', ['endpointId', 'eventId'])
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

/** When pending deliveries were counted last; one row, so that one worker counts for all. */
@Entity('full_account_count')
@Check('full_account_count_id_check', 'id = 1')
export class FullAccountCount {
  @PrimaryColumn('smallint')
  id!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  countedAt!: Date;
}
