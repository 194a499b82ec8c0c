import { Check, Column, Entity, Index, PrimaryColumn } from '../../typeorm.js';

/** The hour or the day that a row of statistics counts. */
export type Span = 'hour' | 'day';

/**
 * What was recorded of an endpoint, or of a whole account, in attempts that began within one hour or
 * one UTC day. A day has its row only once its hours are past their retention.
 */
@Entity('delivery_statistics')
@Index('delivery_statistics_by_age', ['span', 'startsAt'])
@Check('delivery_statistics_span_check', `span in ('hour', 'day')`)
export class DeliveryStatistics {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  accountId!: string;

  /** Empty in the rows of the whole account. */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  endpointId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  span!: Span;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  startsAt!: Date;

  @Column('integer')
  success!: number;

  @Column('integer')
  failed!: number;

  @Column('integer')
  abandoned!: number;

  /** Attempts after the first of their delivery. */
  @Column('integer')
  retries!: number;

  /** Which buckets of the histogram of durations are not empty, ascending. */
  @Column({ type: 'smallint', array: true })
  buckets!: number[];

  /** How many durations fell into each of `buckets`. */
  @Column({ type: 'integer', array: true })
  times!: number[];
}
