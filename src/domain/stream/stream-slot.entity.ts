import { Column, Entity, ForeignKey, Index, PrimaryColumn } from '../typeorm.js';
import { StreamProcess } from './stream-process.entity.js';

/** An open stream. */
@Entity('stream_slot')
@Index('stream_slot_by_process', ['processId', 'id'])
export class StreamSlot {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  @ForeignKey(() => StreamProcess, { onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'text', collation: 'C' })
  processId!: string;

  /** The process counts its streams. */
  @PrimaryColumn('integer')
  id!: number;

  /** Whether a portal session reads it. */
  @Column({ type: 'boolean', default: false })
  isPortal!: boolean;
}
