import type { Read } from '../tx.js';
import type { EventTypeVersion } from './event-type-version.entity.js';

/** What is done with data that breaks its schema: refuse the event, or report and publish it. */
export type Validation = 'enforce' | 'warn';

/** One version of an event type. */
export type EventTypeVersionContent = Readonly<Omit<EventTypeVersion, 'eventTypeId'>>;

/** The schemas of an event type, as PostgreSQL has them. */
export interface SchemasOfType {
  readonly id: string;
  readonly validation: Validation;
  /** Changes with everything that decides about an event. */
  readonly revision: string;
  /** In ascending order; none for a type whose schema comes with the service, or without one. */
  readonly versions: readonly EventTypeVersionContent[];
}

const read = {
  name: 'event-type-schemas',
  text: `
    select t.id, t.validation, t.revision,
           (select coalesce(json_agg(json_build_object(
                     'version', v.version, 'schema', v.schema, 'example', v.example)
                     order by length(v.version), v.version), '[]')
              from event_type_version v where v.event_type_id = t.id) as versions
      from event_type t where t.id = any($1::text[]) order by t.id`,
};

/** Reads the schemas of event types, in the order of their ids. Unknown types are absent. */
export function readSchemas(
  { sql }: Pick<Read, 'sql'>,
  types: readonly string[],
): Promise<SchemasOfType[]> {
  return sql<SchemasOfType>(read, [types]);
}
