import { Column, Entity, Index, PrimaryColumn } from '../typeorm.js';

/** The key under which internal GraphQL published an event: published again, it is the same event. */
@Entity('publish_key')
@Index('publish_key_by_expiry', ['expiresAt'])
export class PublishKey {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @PrimaryColumn('text')
  key!: string;

  /** Of what was published under the key. */
  @Column('bytea')
  fingerprint!: Buffer;

  @Column({ type: 'text', collation: 'C' })
  eventId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;
}
