import { Check, Column, Entity, Index, PrimaryColumn } from '../transaction/typeorm.js';

/**
 * An event, with the bytes that are sent. Its partition holds a week, and is dropped whole after 40
 * days.
 */
@Entity('event')
@Index('event_written_late', ['accountId', 'xid'], {
  where: `written_at - occurred_at > interval '2 seconds'`,
})
@Index('event_stream_only', ['id'], { where: `endpoint_id = 'stream'` })
// These indexes have expressions, which TypeORM does not compare.
@Index('event_of_account', { synchronize: false })
@Check('event_body_check', `convert_from(body, 'UTF8') is not null`)
export class Event {
  /** Begins with the time, by which the table is partitioned. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column('text')
  type!: string;

  /** Version of the payload's schema, such as "v1". */
  @Column('text')
  version!: string;

  /** What the event is about, as in `order:ord_…`. */
  @Column('text')
  subject!: string;

  @Column('boolean')
  test!: boolean;

  /** The bytes that every attempt sends, always valid UTF-8. */
  @Column('bytea')
  body!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  occurredAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /**
   * The only endpoint it was published for, as test events are; null for all that subscribe. Another
   * text means that only the stream shows it.
   */
  @Column({ type: 'text', collation: 'C', nullable: true })
  endpointId!: string | null;

  /** The trace that published it (W3C Trace Context §3.2); null without one. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  traceparent!: string | null;

  /** The transaction that wrote it, for the stream; null in rows that are older than the stream. */
  @Column({ type: 'xid8' as 'bigint', nullable: true, default: () => 'pg_current_xact_id()' })
  xid!: string | null;

  /** When it was written, by PostgreSQL's clock. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'clock_timestamp()' })
  writtenAt!: Date | null;
}

/**
 * The idempotency key of an event that internal GraphQL published. A repeated key publishes
 * nothing.
 */
@Entity('publish_key')
@Index('publish_key_by_expiry', ['expiresAt'])
export class PublishKey {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @PrimaryColumn('text')
  key!: string;

  /** Fingerprint of the content that was published with this key. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column({ type: 'text', collation: 'C' })
  eventId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
