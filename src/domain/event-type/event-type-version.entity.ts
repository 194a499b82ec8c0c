import { Check, Column, Entity, PrimaryColumn } from '../typeorm.js';

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
