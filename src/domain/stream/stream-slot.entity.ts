import { Column, Entity, ForeignKey, Index, PrimaryColumn } from '../typeorm.js';

/** An API process with open streams, and when it last recorded that it is alive. */
@Entity('stream_process')
export class StreamProcess {
  /** Random digits. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  seenAt!: Date;
}

/** An open stream. */
@Entity('stream_slot')
@Index('stream_slot_by_process', ['processId', 'id'])
export class StreamSlot {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @ForeignKey(() => StreamProcess, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text', collation: 'C' })
  processId!: string;

  /** The number of the stream in its process. */
  @PrimaryColumn('integer')
  id!: number;

  /** Whether a portal session reads it. */
  @Column({ type: 'boolean', default: false })
  isPortal!: boolean;
}
