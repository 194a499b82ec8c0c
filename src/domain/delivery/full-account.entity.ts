import { Column, Entity, PrimaryColumn } from '../typeorm.js';

/** An account whose pending deliveries have reached the limit, so that its events are refused. */
@Entity('full_account')
export class FullAccount {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  /** How many it had when they were counted last, estimated from a sample in a large table. */
  @Column('bigint')
  pending!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;
}
