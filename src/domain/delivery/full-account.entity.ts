import { Check, Column, Entity, PrimaryColumn } from '../typeorm.js';

/** An account whose pending deliveries have reached a limit, so that its events are refused. */
@Entity('full_account')
export class FullAccount {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  /** How many it had when they were counted last, estimated from a sample in a large table. */
  @Column('bigint')
  pending!: string;

  /** How many bytes those send together, estimated in the same way. */
  @Column({ type: 'bigint', default: 0 })
  pendingBytes!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;
}

/** When pending deliveries were counted last; one row, so that one worker counts for all. */
@Entity('full_account_count')
@Check('full_account_count_id_check', 'id = 1')
export class FullAccountCount {
  @PrimaryColumn('smallint')
  id!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  countedAt!: Date;
}
