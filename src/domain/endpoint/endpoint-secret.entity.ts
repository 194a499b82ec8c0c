import { Column, Entity, ForeignKey, Index, PrimaryColumn } from '../typeorm.js';
import { Endpoint } from './endpoint.entity.js';

/** A signing secret, sealed with a key of the ring and bound to its endpoint's id. */
@Entity('endpoint_secret')
@Index('endpoint_secret_by_endpoint', ['endpointId', 'id'])
export class EndpointSecret {
  /** A later secret of an endpoint has a greater id. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @ForeignKey(() => Endpoint)
  @Column({ type: 'text', collation: 'C' })
  endpointId!: string;

  @Column('text')
  keyId!: string;

  @Column('bytea')
  sealed!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  /** When an older secret stops signing; null for the newest one. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;
}
