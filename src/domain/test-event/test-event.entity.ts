import { Column, Entity, PrimaryColumn } from '../typeorm.js';

/** How many bytes of test events an account stored on its last day with one. */
@Entity('test_event_bytes')
export class TestEventBytes {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  /** By UTC. */
  @Column('date')
  day!: string;

  @Column('bigint')
  bytes!: string;
}
