import { Check, Column, Entity, PrimaryColumn } from '../typeorm.js';

/** The process that runs isolated deliveries; one row. */
@Entity('isolation_lock')
@Check('isolation_lock_id_check', 'id = 1')
export class IsolationLock {
  @PrimaryColumn('smallint')
  id!: number;

  @Column({ type: 'bigint', nullable: true })
  holder!: string | null;

  /** End of the lock, or of the cooldown after it. */
  @Column({ type: 'timestamptz', precision: 3 })
  until!: Date;
}
