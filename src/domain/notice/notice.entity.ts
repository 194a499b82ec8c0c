import { Column, Entity, Index, PrimaryColumn } from '../transaction/typeorm.js';

/** One thing to tell one person by mail. It is written in the transaction that causes it and sent after its commit. */
@Entity('notice')
@Index('notice_due', ['kind', 'accountId', 'dueAt'], {
  where: 'sent_at is null and refused_at is null',
})
// TypeORM cannot describe these indexes on expressions: see the migration.
@Index('notice_by_recipient', { synchronize: false })
@Index('notice_mails', { synchronize: false })
@Index('notice_by_mailbox', { synchronize: false })
@Index('notice_mails_by_mailbox', { synchronize: false })
@Index('notice_without_mailbox', { synchronize: false })
@Index('notice_of_account', { synchronize: false })
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

  /** Selects the template. Any text, so that a release can add kinds that an earlier one does not know. */
  @Column({ type: 'text', collation: 'C' })
  kind!: string;

  /** The id of the resource it is about, such as an endpoint. */
  @Column({ type: 'text', collation: 'C' })
  resourceId!: string;

  /** The other data of its template, in the shape that the kind defines. */
  @Column('jsonb')
  data!: object;

  @Column('text')
  recipient!: string;

  /** The form in which the address is compared, if PostgreSQL cannot derive it; see `storedMailbox`. */
  @Column({ type: 'text', nullable: true })
  mailbox!: string | null;

  /**
   * The first notice of the mail that names this one, which may be this one; null while no mail names it.
   * The first claim of the mail sets it, so that each notice is in exactly one mail.
   */
  @Column({ type: 'text', collation: 'C', nullable: true })
  mailId!: string | null;

  /** A mail has the Message-ID of its first notice, so that mail programs recognise one that is sent twice. */
  @Column({ type: 'text', unique: true })
  messageId!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When a worker may claim it next; while it is claimed, when the lease ends. */
  @Column({ type: 'timestamptz', precision: 3 })
  dueAt!: Date;

  /** When the mail that begins with this notice was last claimed. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimedAt!: Date | null;

  @Column({ type: 'bigint', nullable: true })
  leaseToken!: number | null;

  /** How many attempts have ended. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** The error of the last failed attempt. */
  @Column({ type: 'text', nullable: true })
  lastError!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt!: Date | null;

  /**
   * When the mail server permanently rejected the recipient, or when a worker found that the mail was no longer
   * relevant. The service does not retry it.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  refusedAt!: Date | null;
}
