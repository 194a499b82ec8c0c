import type { Read } from '../transaction/tx.js';
import { builtInSchemas, type JsonSchema } from './built-in.js';
import type { EventTypeVersion } from './event-type.entity.js';

/** What is done with data that breaks its schema: refuse the event, or report and publish it. */
export type Validation = 'enforce' | 'warn';

/** One version of an event type. */
export type EventTypeVersionContent = Readonly<Omit<EventTypeVersion, 'eventTypeId'>>;

/** What operators set of an event type. */
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
  /** False removes the type from the catalogue for good. Defaults to the stored value, or to true for a new type. */
  readonly listed?: boolean;
}

/** An event type with the content of its versions. */
export interface EventTypeDefinition extends EventTypeInput {
  readonly listed: boolean;
  readonly sent: boolean;
}

/** In SQL: the versions of the event type `t`, in ascending order. */
const versions = `(select coalesce(json_agg(json_build_object(
            'version', v.version, 'schema', v.schema, 'example', v.example)
            order by length(v.version), v.version), '[]')
     from event_type_version v where v.event_type_id = t.id) as versions`;

const columns = `t.id, t.category, t.summary, t.description, t.accepts_new_subscriptions as offered,
  t.validation, t.listed, t.sent,
  ${versions}`;

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

/** Reads one event type with the schemas that operators put; undefined if there is none. */
export async function readDefinition(
  { sql }: Pick<Read, 'sql'>,
  id: string,
): Promise<EventTypeDefinition | undefined> {
  return (await sql<EventTypeDefinition>(readOne, [id]))[0];
}

/** Reads one event type with all its schemas, also those of the service; undefined if there is none. */
export async function findEventType(
  read: Pick<Read, 'sql'>,
  id: string,
): Promise<EventTypeDefinition | undefined> {
  const definition = await readDefinition(read, id);
  return definition && withBuiltInVersions(definition);
}

/** Adds the versions of a type whose schemas come with the service. */
export function withBuiltInVersions(definition: EventTypeDefinition): EventTypeDefinition {
  const start = `${definition.id}/`;
  const builtIn = [...builtInSchemas()]
    .filter(([name]) => name.startsWith(start))
    .map(([name, schema]) => contentOf(name.slice(start.length), schema));
  return builtIn.length === 0 ? definition : { ...definition, versions: builtIn };
}

function contentOf(version: string, schema: JsonSchema): EventTypeVersionContent {
  const examples = (schema['examples'] ?? []) as readonly EventTypeVersionContent['example'][];
  return { version, schema, example: examples[0] ?? {} };
}

/** The schemas of an event type, as PostgreSQL has them. */
export interface SchemasOfType {
  readonly id: string;
  readonly validation: Validation;
  /** Changes with everything that decides whether an event is accepted. */
  readonly revision: string;
  /** In ascending order. Empty for a type whose schema comes with the service, or that has none. */
  readonly versions: readonly EventTypeVersionContent[];
}

const readForEvents = {
  name: 'event-type-schemas',
  text: `
    select t.id, t.validation, t.revision,
           ${versions}
      from event_type t where t.id = any($1::text[]) order by t.id`,
};

/** Reads the schemas of event types, in the order of their ids. Unknown types are absent. */
export function readSchemas(
  { sql }: Pick<Read, 'sql'>,
  types: readonly string[],
): Promise<SchemasOfType[]> {
  return sql<SchemasOfType>(readForEvents, [types]);
}
