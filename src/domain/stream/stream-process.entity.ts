import { Column, Entity, PrimaryColumn } from '../typeorm.js';

/** An API process with streams, and when it last said that it is alive. */
@Entity('stream_process')
export class StreamProcess {
  /** Random digits. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  seenAt!: Date;
}
