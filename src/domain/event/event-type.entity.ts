import { Column, Entity, PrimaryColumn } from '../typeorm.js';

/** One entry of the public catalogue of event types. */
@Entity('event_type')
export class EventType {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column('text')
  category!: string;

  @Column('text')
  summary!: string;

  @Column('text')
  description!: string;

  /** False once and for all after {@link retireEventType}. */
  @Column('boolean')
  acceptsNewSubscriptions!: boolean;

  /** Whether the platform emits this type at present (A20). */
  @Column('boolean')
  sent!: boolean;

  /** False once and for all after {@link unlistEventType}. */
  @Column({ type: 'boolean', default: true })
  listed!: boolean;
}
