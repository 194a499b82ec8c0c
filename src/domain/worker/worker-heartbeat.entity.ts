import { Column, Entity, PrimaryColumn } from '../typeorm.js';

/** A worker process, and when it last polled. */
@Entity('worker_heartbeat')
export class WorkerHeartbeat {
  /** Host, process id and random digits. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', array: true, collation: 'C' })
  roles!: string[];

  /** Of its release; null of a release that did not say so. */
  @Column({ type: 'text', nullable: true })
  version!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  startedAt!: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  seenAt!: Date;
}
