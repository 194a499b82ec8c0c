import { Column, Entity, ForeignKey, Index, PrimaryColumn } from '../typeorm.js';
import { Endpoint } from './endpoint.entity.js';

/** A signing secret, sealed under a key of the ring for its endpoint's id (H14). */
@Entity('endpoint_secret')
@Index('endpoint_secret_by_endpoint', ['endpointId', 'id'])
export class EndpointSecret {
  /** Secrets of one endpoint sort by age: a later one has the greater id. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Endpoint, { name: 'endpoint_secret_endpoint_id_fkey' })
  @Column({ type: 'text', collation: 'C' })
  endpointId!: string;

  @Column('text')
  keyId!: string;

  @Column('bytea')
  sealed!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** Null for the newest secret; an older one signs until then (H24). */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;
}
