import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Endpoint } from '../endpoint/endpoint.entity.js';

/** One mail that is owed: written with what caused it, sent after the commit (H73). */
@Entity('notice')
@Index('notice_due', ['dueAt'], { where: 'sent_at is null' })
export class Notice {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  @ForeignKey(() => Endpoint, { name: 'notice_endpoint_id_fkey' })
  @Column({ type: 'text', collation: 'C' })
  endpointId!: string;

  @Column('text')
  recipient!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  body!: string;

  /** Fixed with the row, so that a mail sent twice is recognised as one. */
  @Column({ type: 'text', unique: true })
  messageId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  dueAt!: Date;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt!: Date | null;
}
