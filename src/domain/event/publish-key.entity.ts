import { Column, Entity, Index, PrimaryColumn } from '../typeorm.js';

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
