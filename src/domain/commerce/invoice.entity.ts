import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Account } from '../account/account.entity.js';
import type { Buyer } from './line-item.js';
import { Order } from './order.entity.js';
import { Payment } from './payment.entity.js';
import { Totals, TotalsChecks } from './totals.entity.js';

/** The document that a payment or a refund is billed with. */
@Entity('invoice')
@Index('invoice_by_account', ['accountId', 'id'])
@Index('invoice_by_order', ['orderId'])
@Unique('invoice_account_id_number_key', ['accountId', 'number'])
@Check('invoice_type_check', `type in ('invoice', 'credit_note')`)
@TotalsChecks('invoice')
export class Invoice {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Account, { name: 'invoice_account_id_fkey' })
  @Column({ type: 'text', collation: 'C' })
  accountId!: string;

  /** Counts up without gaps inside an account, such as "INV-000001". */
  @Column('text')
  number!: string;

  @Column('text')
  type!: 'invoice' | 'credit_note';

  @ForeignKey(() => Order, { name: 'invoice_order_id_fkey' })
  @Column({ type: 'text', collation: 'C' })
  orderId!: string;

  @ForeignKey(() => Payment, { name: 'invoice_payment_id_fkey' })
  @Column({ type: 'text', collation: 'C' })
  paymentId!: string;

  @Column('json')
  buyer!: Buyer;

  @Column({ type: 'timestamptz', precision: 3 })
  issuedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column(() => Totals, { prefix: false })
  totals!: Totals;
}
