import { Owned } from '../account/account.entity.js';
import { Check, Column, Entity, ForeignKey, Index, Unique } from '../typeorm.js';
import { Order } from './order.entity.js';

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
