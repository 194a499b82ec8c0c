import { Column, Entity, Index, PrimaryColumn } from '../typeorm.js';

/** The seller; every other row belongs to an account. */
@Entity('account')
// TypeORM cannot describe this index on an expression: see the migration.
@Index('account_by_name', { synchronize: false })
export class Account {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column('text')
  name!: string;

  /** How many invoices the account has issued. The next number is one more, so numbers have no gaps. */
  @Column({ type: 'integer', default: 0 })
  invoiceCount!: number;

  /** How many credit notes the account has issued, numbered the same way. */
  @Column({ type: 'integer', default: 0 })
  creditNoteCount!: number;

  /** Whether its receivers get the trace of an event as `traceparent`. */
  @Column({ type: 'boolean', default: false })
  sendsTraceparent!: boolean;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Since when it is erased: it takes nothing more, and no operation finds it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  erasedAt!: Date | null;
}
