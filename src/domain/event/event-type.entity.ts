import { Check, Column, Entity, PrimaryColumn } from '../typeorm.js';

/** One entry of the public catalogue of event types. */
@Entity('event_type')
@Check('event_type_validation_check', `validation in ('enforce', 'warn')`)
export class EventType {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id!: string;

  @Column('text')
  category!: string;

  @Column('text')
  summary!: string;

  @Column('text')
  description!: string;

  /** Stays false after {@link retireEventType}. */
  @Column('boolean')
  acceptsNewSubscriptions!: boolean;

  /** Whether the service sends events of this type today. */
  @Column('boolean')
  sent!: boolean;

  /** Stays false after {@link unlistEventType}. */
  @Column({ type: 'boolean', default: true })
  listed!: boolean;

  /** Whether data that breaks its schema is refused, or reported and published. */
  @Column({ type: 'text', default: 'enforce' })
  validation!: 'enforce' | 'warn';

  /** Changes with everything that decides about an event; empty until an operator puts the type. */
  @Column({ type: 'text', default: '' })
  revision!: string;
}
