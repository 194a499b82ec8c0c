import { Owned } from '../account/account.entity.js';
import { type LineItem, Totals, TotalsChecks } from '../commerce/line-items.js';
import { Check, Column, Entity, ForeignKey, Unique } from '../transaction/typeorm.js';

/** What an account proposes to one recipient, who accepts it by paying. */
@Entity('offer')
@Unique('offer_position_key', ['accountId', 'position'])
@Unique('offer_order_id_key', ['orderId'])
@Check('offer_position_check', 'position > 0')
@Check('offer_title_check', 'char_length(title) between 1 and 250')
@Check('offer_message_check', 'char_length(message) <= 2000')
@Check(
  'offer_sent_check',
  '(send_count > 0) = (sent_at is not null) and send_count between 0 and 10',
)
@Check('offer_accepted_check', '(accepted_at is null) = (order_id is null)')
@Check('offer_end_check', 'accepted_at is null or (cancelled_at is null and sent_at is not null)')
@TotalsChecks('offer')
export class Offer extends Owned {
  /** Counts the account's offers in the order they were made, from 1 without gaps. */
  @Column('integer')
  position!: number;

  @Column('text')
  recipientEmail!: string;

  @Column('text')
  title!: string;

  @Column({ type: 'text', nullable: true })
  message!: string | null;

  /** As the account sent it; `json`, because `jsonb` would reorder its keys. */
  @Column('json')
  metadata!: Record<string, unknown>;

  @Column('json')
  lineItems!: readonly LineItem[];

  /** How many mails the service has enqueued for the recipient; at most 10. */
  @Column({ type: 'integer', default: 0 })
  sendCount!: number;

  /** When it was first sent. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sentAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  acceptedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  cancelledAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** The order of the accepting payment. `Order` is named as text, because imports would form a cycle. */
  @ForeignKey('Order', { deferrable: 'INITIALLY DEFERRED' })
  @Column({ type: 'text', collation: 'C', nullable: true })
  orderId!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  @Column(() => Totals, { prefix: false })
  totals!: Totals;
}
