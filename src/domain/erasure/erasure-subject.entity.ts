import { Entity, ForeignKey, PrimaryColumn } from '../typeorm.js';
import { Erasure } from './erasure.entity.js';

/** A resource of the buyer whose data a running erasure erases; deleted when it is completed. */
@Entity('erasure_subject')
export class ErasureSubject {
  @ForeignKey(() => Erasure)
  @PrimaryColumn({ type: 'text', collation: 'C' })
  erasureId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  resourceId!: string;
}
