import type { EventTypeVersionContent, Validation } from './read-schemas.js';
import type { Read } from '../tx.js';

/** What operators put of an event type. */
export interface EventTypeInput {
  readonly id: string;
  readonly category: string;
  readonly summary: string;
  readonly description: string;
  /** Whether endpoints may begin to subscribe to it. */
  readonly offered: boolean;
  readonly validation: Validation;
  /** Versions that it does not name stay as they are. */
  readonly versions: readonly EventTypeVersionContent[];
  /** False removes the type from the catalogue for good. Defaults to what it is, or true. */
  readonly listed?: boolean;
}

/** An event type with the content of its versions. */
export interface EventTypeDefinition extends EventTypeInput {
  readonly listed: boolean;
  readonly sent: boolean;
}

const columns = `t.id, t.category, t.summary, t.description, t.accepts_new_subscriptions as offered,
  t.validation, t.listed, t.sent,
  (select coalesce(json_agg(json_build_object(
            'version', v.version, 'schema', v.schema, 'example', v.example)
            order by length(v.version), v.version), '[]')
     from event_type_version v where v.event_type_id = t.id) as versions`;

const readAll = {
  name: 'event-type-definitions',
  text: `select ${columns} from event_type t order by t.id`,
};

const readOne = {
  name: 'event-type-definition',
  text: `select ${columns} from event_type t where t.id = $1`,
};

/** Reads the whole catalogue with its schemas, by id. */
export function readDefinitions({ sql }: Pick<Read, 'sql'>): Promise<EventTypeDefinition[]> {
  return sql<EventTypeDefinition>(readAll, []);
}

/** Reads one event type with its schemas; undefined if there is none. */
export async function readDefinition(
  { sql }: Pick<Read, 'sql'>,
  id: string,
): Promise<EventTypeDefinition | undefined> {
  return (await sql<EventTypeDefinition>(readOne, [id]))[0];
}
