import { Check, Column, Entity, Index, PrimaryColumn } from '../typeorm.js';

/**
 * An event, with the bytes that are sent. Its partition holds a week, and is dropped whole after 40
 * days.
 */
@Entity('event')
@Index('event_by_account', ['accountId', 'id'])
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

  /** The only endpoint it was published for, as test events are; null for all that subscribe. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  endpointId!: string | null;
}
