import { Column, Entity, PrimaryColumn } from '../typeorm.js';

/** The send times of an endpoint that has, or had, a rate limit (ADR 0034). */
@Entity('endpoint_rate')
export class EndpointRate {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  endpointId!: string;

  /** The first send time that no worker has reserved; a time that has passed stands for now. */
  @Column('timestamptz')
  nextAt!: Date;
}
