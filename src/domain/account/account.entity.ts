import { Column, Entity, PrimaryColumn } from '../typeorm.js';

/** Who owns everything else, and sells. */
@Entity('account')
export class Account {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column('text')
  name!: string;

  /** How many invoices were issued; the next one's number is one more, without gaps. */
  @Column({ type: 'integer', default: 0 })
  invoiceCount!: number;

  /** The same for credit notes. */
  @Column({ type: 'integer', default: 0 })
  creditNoteCount!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
