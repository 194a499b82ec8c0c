import { Check, Column, Entity, PrimaryColumn } from '../transaction/typeorm.js';

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

  /** Whether an event that breaks its schema is refused, or reported and published. */
  @Column({ type: 'text', default: 'enforce' })
  validation!: 'enforce' | 'warn';

  /** Changes with everything that decides whether an event is accepted; empty until an operator puts the type. */
  @Column({ type: 'text', default: '' })
  revision!: string;
}

/** One version of the data of an event type. */
@Entity('event_type_version')
@Check('event_type_version_version_check', `version ~ '^v[1-9][0-9]{0,2}$'`)
export class EventTypeVersion {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  eventTypeId!: string;

  /** Such as "v1". */
  @PrimaryColumn({ type: 'text', collation: 'C' })
  version!: string;

  /** JSON Schema 2020-12, in the order of members in which it was put. */
  @Column('json')
  schema!: Readonly<Record<string, unknown>>;

  /** The data of a test event. */
  @Column('json')
  example!: Readonly<Record<string, unknown>>;
}
