import { Owned } from '../account/account.entity.js';
import { Check, Column, Entity, Index, ForeignKey, PrimaryColumn } from '../transaction/typeorm.js';

/** What an erasure erases: an account, or the personal data of a buyer of an account. */
export type ErasureKind = (typeof erasureKinds)[number];
export const erasureKinds = ['account', 'buyer'] as const;

/** The state of an erasure; `completed` is final. */
export type ErasureStatus = (typeof erasureStatuses)[number];
export const erasureStatuses = ['running', 'completed'] as const;

/**
 * The job that erases, and the record of what it erased. Its position and counts change in the transaction that
 * erases, so after a crash it goes on where it was. The record is kept and has no personal data.
 */
@Entity('erasure')
@Index('erasure_of_account', ['accountId', 'id'])
@Index('erasure_running', ['nextStepAt'], { where: `status = 'running'` })
@Check('erasure_kind_check', `kind in ('account', 'buyer')`)
@Check('erasure_status_check', `status in ('running', 'completed')`)
@Check('erasure_completed_check', `(status = 'completed') = (completed_at is not null)`)
@Check('erasure_email_check', `(email is not null) = (kind = 'buyer' and status = 'running')`)
export class Erasure extends Owned {
  @Column({ type: 'text', collation: 'C' })
  kind!: ErasureKind;

  /** The internal credential that requested it, or `command`. */
  @Column({ type: 'text', collation: 'C' })
  requestedBy!: string;

  @Column({ type: 'text', collation: 'C' })
  status!: ErasureStatus;

  /** The address of the buyer, until the erasure is completed. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  /** Whether it also erases the buyer from invoices that the account has to keep. */
  @Column('boolean')
  includeInvoices!: boolean;

  /** The stage that runs next. */
  @Column({ type: 'text', collation: 'C' })
  stage!: string;

  /** Where the stage continues; null at its beginning. */
  @Column({ type: 'text', array: true, nullable: true })
  place!: string[] | null;

  /** When this pass through all stages began, or will begin. */
  @Column({ type: 'timestamptz', precision: 3 })
  passStartedAt!: Date;

  /** How many rows this pass has erased. */
  @Column('bigint')
  foundInPass!: number;

  /** Erased rows by table. */
  @Column('jsonb')
  counts!: Readonly<Record<string, number>>;

  /** When the next step is due. Null until a worker of this release takes one that 2.0.0 started. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  dueAt!: Date | null;

  /**
   * When the next step is due for workers of 2.0.0, which compare addresses otherwise: infinity, so they take
   * none. A release after this one drops it.
   */
  @Column({ type: 'timestamptz', precision: 3 })
  nextStepAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  completedAt!: Date | null;
}

/** A resource of the buyer whose data a running erasure erases. The row is deleted when the erasure is completed. */
@Entity('erasure_subject')
export class ErasureSubject {
  @ForeignKey(() => Erasure)
  @PrimaryColumn({ type: 'text', collation: 'C' })
  erasureId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  resourceId!: string;
}
