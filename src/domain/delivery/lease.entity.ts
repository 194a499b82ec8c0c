import { Column, Entity, Index, PrimaryColumn } from '../typeorm.js';

/** How long a worker holds what one statement claimed (ADR 0017). */
@Entity('lease')
@Index('lease_until', ['until'])
export class Lease {
  /** Chosen by the claiming process. */
  @PrimaryColumn('bigint')
  token!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;

  @Column({ type: 'text', array: true, collation: 'C' })
  pendingDeliveryIds!: string[];
}
