import { Column, Entity, Index, PrimaryColumn } from '../typeorm.js';

/** One mail that is owed: written with what caused it, sent after the commit (H73). */
@Entity('notice')
@Index('notice_due', ['kind', 'accountId', 'dueAt'], {
  where: 'sent_at is null and refused_at is null',
})
// Indexes of an expression, which TypeORM cannot describe: see the migration.
@Index('notice_by_recipient', { synchronize: false })
@Index('notice_mails', { synchronize: false })
@Index('notice_by_mail', ['mailId'], {
  where: 'sent_at is null and refused_at is null and mail_id is not null',
})
@Index('notice_by_sent', ['sentAt'], { where: 'sent_at is not null' })
@Index('notice_by_refusal', ['refusedAt'], { where: 'refused_at is not null' })
export class Notice {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  /** Which message it becomes; any text, so that a release can owe what an earlier one does not know. */
  @Column({ type: 'text', collation: 'C' })
  kind!: string;

  /** The id of what it tells of, such as an endpoint. */
  @Column({ type: 'text', collation: 'C' })
  resourceId!: string;

  /** What its message says besides, as its kind wants it. */
  @Column('jsonb')
  data!: object;

  @Column('text')
  recipient!: string;

  /**
   * The notice that the mail naming this one is called after, which may be itself; null while no mail
   * names it. Fixed once the mail is taken to be sent, so that each notice is named in one mail.
   */
  @Column({ type: 'text', collation: 'C', nullable: true })
  mailId!: string | null;

  /** Fixed with the row, so that a mail sent twice is recognised as one: of the first that it names. */
  @Column({ type: 'text', unique: true })
  messageId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When it may be sent next; while it is claimed, when the lease ends. */
  @Column({ type: 'timestamptz', precision: 3 })
  dueAt!: Date;

  /** When the mail called after this notice was last taken to be sent. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimedAt!: Date | null;

  @Column({ type: 'bigint', nullable: true })
  leaseToken!: number | null;

  /** Attempts that have ended. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** What the last failed attempt was told. */
  @Column({ type: 'text', nullable: true })
  lastError!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt!: Date | null;

  /**
   * When the mail server said for good that there is no such recipient, or the offer it tells of was
   * over; not sent again by itself.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  refusedAt!: Date | null;
}
