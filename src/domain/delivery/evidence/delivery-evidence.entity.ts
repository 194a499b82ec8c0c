import { Column, Entity, PrimaryColumn } from '../../typeorm.js';
import type { AttemptPhase } from '../rules/outcome.js';
import type { Header } from '../rules/evidence-headers.js';

/** What is kept of an attempt beside its record. Its partition lives as long as that of the record. */
@Entity('delivery_evidence')
export class DeliveryEvidence {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  deliveryId!: string;

  @Column('text')
  url!: string;

  @Column('json')
  requestHeaders!: readonly Header[];

  /** In which the attempt ended; null when nothing was dialled. */
  @Column({ type: 'text', nullable: true })
  phase!: AttemptPhase | null;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', nullable: true })
  tlsVersion!: string | null;

  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  @Column({ type: 'integer', nullable: true })
  lookupMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  connectMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  tlsMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  firstByteMs!: number | null;

  @Column({ type: 'integer', nullable: true })
  totalMs!: number | null;

  @Column({ type: 'json', nullable: true })
  responseHeaders!: readonly Header[] | null;

  @Column({ type: 'bytea', nullable: true })
  body!: Buffer | null;

  @Column('boolean')
  bodyTruncated!: boolean;
}
