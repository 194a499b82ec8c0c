import { Owned } from '../account/account.entity.js';
import { type Buyer, type LineItem, Totals, TotalsChecks } from '../commerce/line-items.js';
import { Check, Column, Entity, ForeignKey, Index, Unique } from '../transaction/typeorm.js';

/** What a buyer bought: a succeeded payment turns a checkout into an order. */
@Entity('order')
@Unique('order_position_key', ['accountId', 'position'])
@Index('order_by_creation', ['accountId', 'createdAt', 'position'])
@Check('order_position_check', 'position > 0')
@TotalsChecks('order')
export class Order extends Owned {
  /** Counts the account's orders from 1 without gaps; see commerce/ledger.ts. */
  @Column('integer')
  position!: number;

  @ForeignKey('Checkout')
  @Column({ type: 'text', collation: 'C', nullable: true, unique: true })
  checkoutId!: string | null;

  @Column('text')
  externalReference!: string;

  @Column('json')
  buyer!: Buyer;

  @Column('json')
  metadata!: Record<string, unknown>;

  @Column({ type: 'text', nullable: true })
  affiliate!: string | null;

  @Column('json')
  lineItems!: readonly LineItem[];

  @Column({ type: 'timestamptz', precision: 3 })
  completedAt!: Date;

  @Column(() => Totals, { prefix: false })
  totals!: Totals;
}

/** The state of a payment. */
export type PaymentStatus = (typeof paymentStatuses)[number];
export const paymentStatuses = [
  'succeeded',
  'partially_refunded',
  'refunded',
  'charged_back',
] as const;

/** Money that a buyer paid for an order. It is created when the sale is made. */
@Entity('payment')
@Unique('payment_position_key', ['accountId', 'position'])
@Check('payment_position_check', 'position > 0')
@Index('payment_by_order', ['orderId'])
@Index('payment_by_creation', ['accountId', 'createdAt', 'position'])
@Index('payment_by_cash_flow', ['accountId', 'cashFlowAt', 'position'])
// TypeORM cannot describe these indexes on expressions: see the migration.
@Index('payment_by_buyer', { synchronize: false })
@Index('payment_by_mailbox', { synchronize: false })
@Index('payment_without_mailbox', { synchronize: false })
@Index('payment_by_key', ['accountId', 'key'], { unique: true, where: 'key is not null' })
@Check(
  'payment_status_check',
  `status in ('succeeded', 'partially_refunded', 'refunded', 'charged_back')`,
)
@Check('payment_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('payment_amount_minor_units_check', 'amount_minor_units >= 0')
@Check('payment_refunded_check', 'refunded_minor_units between 0 and amount_minor_units')
@Check('payment_fee_check', 'fee_minor_units between 0 and amount_minor_units')
@Check('payment_net_check', 'net_minor_units = amount_minor_units - fee_minor_units')
@Check(
  'payment_refunded_status_check',
  `status = 'charged_back' or status = case when refunded_minor_units = 0 then 'succeeded'
    when refunded_minor_units < amount_minor_units then 'partially_refunded' else 'refunded' end`,
)
@Check('payment_key_check', '(key is null) = (fingerprint is null)')
export class Payment extends Owned {
  /** Counts the account's payments from 1 without gaps; see commerce/ledger.ts. */
  @Column('integer')
  position!: number;

  @ForeignKey(() => Order)
  @Column({ type: 'text', collation: 'C' })
  orderId!: string;

  @Column('text')
  status!: PaymentStatus;

  @Column('text')
  currency!: string;

  @Column('bigint')
  amountMinorUnits!: number;

  @Column({ type: 'bigint', default: 0 })
  refundedMinorUnits!: number;

  @Column({ type: 'bigint', default: 0 })
  feeMinorUnits!: number;

  /** The amount without the fee. Refunds do not change it: they are separate entries. */
  @Column('bigint')
  netMinorUnits!: number;

  @Column('text')
  method!: string;

  @Column('text')
  buyerEmail!: string;

  /** The form in which the address is compared, where PostgreSQL cannot make it; see `storedMailbox`. */
  @Column({ type: 'text', nullable: true })
  mailbox!: string | null;

  /** Identifies the payment to the tool that records it: recording it again makes no second payment. */
  @Column({ type: 'text', nullable: true })
  key!: string | null;

  /** The fingerprint of the content that was recorded under {@link key}. */
  @Column({ type: 'bytea', nullable: true })
  fingerprint!: Buffer | null;

  /** When the money is or will be booked to the balance; null while unknown. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cashFlowAt!: Date | null;
}

/** The state of a refund. */
export type RefundStatus = (typeof refundStatuses)[number];
export const refundStatuses = ['succeeded', 'pending', 'failed'] as const;

/** The reason of a refund. */
export type RefundReason = (typeof refundReasons)[number];
export const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent', 'other'] as const;

/** Refunded money of a payment; all refunds of a payment together never exceed it. */
@Entity('refund')
@Unique('refund_position_key', ['accountId', 'position'])
@Index('refund_by_creation', ['accountId', 'createdAt', 'position'])
@Index('refund_by_payment', ['paymentId'])
@Check('refund_position_check', 'position > 0')
@Check('refund_status_check', `status in ('succeeded', 'pending', 'failed')`)
@Check('refund_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('refund_amount_minor_units_check', 'amount_minor_units > 0')
@Check(
  'refund_reason_check',
  `reason in ('requested_by_customer', 'duplicate', 'fraudulent', 'other')`,
)
@Check('refund_note_check', 'char_length(note) <= 500')
export class Refund extends Owned {
  /** Counts the account's refunds from 1 without gaps; see commerce/ledger.ts. */
  @Column('integer')
  position!: number;

  @ForeignKey(() => Payment)
  @Column({ type: 'text', collation: 'C' })
  paymentId!: string;

  @ForeignKey(() => Order)
  @Column({ type: 'text', collation: 'C' })
  orderId!: string;

  @Column('text')
  status!: RefundStatus;

  @Column('text')
  currency!: string;

  @Column('bigint')
  amountMinorUnits!: number;

  @Column({ type: 'text', nullable: true })
  reason!: RefundReason | null;

  @Column({ type: 'text', nullable: true })
  note!: string | null;

  /** When the money is or will be taken from the balance; null while unknown. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cashFlowAt!: Date | null;
}

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
