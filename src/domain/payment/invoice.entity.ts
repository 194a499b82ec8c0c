import { Owned } from '../account/account.entity.js';
import { type Buyer, Totals, TotalsChecks } from '../commerce/line-items.js';
import { Check, Column, Entity, ForeignKey, Index, Unique } from '../typeorm.js';
import { Order } from './order.entity.js';
import { Payment } from './payment.entity.js';
import { Refund } from './refund.entity.js';

/** An invoice bills a payment, a credit note a refund. */
export const invoiceTypes = ['invoice', 'credit_note'] as const;

/** The document of a payment (invoice) or of a refund (credit note). */
@Entity('invoice')
@Unique('invoice_position_key', ['accountId', 'position'])
@Index('invoice_by_creation', ['accountId', 'createdAt', 'position'])
@Check('invoice_position_check', 'position > 0')
@Index('invoice_by_order', ['orderId'])
@Index('invoice_by_payment', ['paymentId'])
@Unique('invoice_number_key', ['accountId', 'number'])
@Check('invoice_type_check', `type in ('invoice', 'credit_note')`)
@Check('invoice_refund_check', `(type = 'credit_note') = (refund_id is not null)`)
@TotalsChecks('invoice')
export class Invoice extends Owned {
  /** Counts the account's invoices from 1 without gaps; see commerce/ledger.ts. */
  @Column('integer')
  position!: number;

  /** Counts up without gaps in an account: "INV-000001", for credit notes "CN-000001". */
  @Column('text')
  number!: string;

  @Column('text')
  type!: (typeof invoiceTypes)[number];

  @ForeignKey(() => Order)
  @Column({ type: 'text', collation: 'C' })
  orderId!: string;

  @ForeignKey(() => Payment)
  @Column({ type: 'text', collation: 'C' })
  paymentId!: string;

  /** The refund of a credit note; null for an invoice. */
  @ForeignKey(() => Refund)
  @Column({ type: 'text', collation: 'C', nullable: true, unique: true })
  refundId!: string | null;

  @Column('json')
  buyer!: Buyer;

  @Column({ type: 'timestamptz', precision: 3 })
  issuedAt!: Date;

  @Column(() => Totals, { prefix: false })
  totals!: Totals;
}
