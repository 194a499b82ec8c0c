import { Owned } from '../account/account.entity.js';
import { type LineItem, Totals, TotalsChecks } from '../commerce/line-items.js';
import { Check, Column, Entity, ForeignKey, Index } from '../transaction/typeorm.js';

/** What a buyer is asked to pay; open for 30 minutes. */
@Entity('checkout')
@Index('checkout_of_account', ['accountId', 'id'])
@Index('checkout_expiring', ['expiresAt'], { where: 'order_id is null and expired_at is null' })
@Index('checkout_by_offer', ['offerId'], { where: 'offer_id is not null' })
@Check('checkout_success_url_check', 'char_length(success_url) <= 1800')
@TotalsChecks('checkout')
export class Checkout extends Owned {
  @Column('text')
  successUrl!: string;

  /** Empty when the account gave none. */
  @Column('text')
  cancelUrl!: string;

  /** The origin of the page that embeds the checkout; null when none does. */
  @Column({ type: 'text', nullable: true })
  embedOrigin!: string | null;

  /** Empty when the account gave none. */
  @Column('text')
  externalReference!: string;

  @Column({ type: 'text', nullable: true })
  buyerEmail!: string | null;

  /** Whether the buyer may not change {@link buyerEmail}. */
  @Column('boolean')
  buyerEmailLocked!: boolean;

  /** As the account sent it; `json`, because `jsonb` would reorder its keys. */
  @Column('json')
  metadata!: Record<string, unknown>;

  /** The affiliate's code, from the account or from the affiliate link that the buyer followed. */
  @Column({ type: 'text', nullable: true })
  affiliate!: string | null;

  @Column('json')
  lineItems!: readonly LineItem[];

  /** The offer that the payment of this checkout accepts. */
  @ForeignKey('Offer')
  @Column({ type: 'text', collation: 'C', nullable: true })
  offerId!: string | null;

  /**
   * Set when the buyer's payment succeeds, which completes the checkout. It has no foreign key: the order
   * has one to its checkout, and bulk writes insert checkouts first.
   */
  @Column({ type: 'text', collation: 'C', nullable: true })
  orderId!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** When the buyer first opened the hosted checkout page. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  visitedAt!: Date | null;

  /** When a worker recorded the expiry and published its event; the status does not depend on it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiredAt!: Date | null;

  @Column(() => Totals, { prefix: false })
  totals!: Totals;
}
