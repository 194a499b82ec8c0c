import { Owned } from '../account/account.entity.js';
import { type Buyer, type LineItem, Totals, TotalsChecks } from '../commerce/line-items.js';
import { Check, Column, Entity, ForeignKey, Index, Unique } from '../typeorm.js';

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
