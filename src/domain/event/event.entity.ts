import { Check, Column, Entity, PrimaryColumn } from '../typeorm.js';

/** What happened, as it is sent: one row in the partition of its week, dropped whole after 40 days. */
@Entity('event')
@Check('event_body_check', `convert_from(body, 'UTF8') is not null`)
export class Event {
  /** Begins with the time: the table is partitioned by it. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  @Column('text')
  type!: string;

  /** Of the payload's schema, such as "v1" (H84). */
  @Column('text')
  version!: string;

  /** The id of what it is about. */
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
}
