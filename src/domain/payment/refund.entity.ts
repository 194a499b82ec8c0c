import { Owned } from '../account/account.entity.js';
import { Check, Column, Entity, ForeignKey, Index, Unique } from '../typeorm.js';
import { Order } from './order.entity.js';
import { Payment } from './payment.entity.js';

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
