import type { Read } from '../tx.js';
import { builtInSchemas, type JsonSchema } from './built-in.js';
import { type EventTypeDefinition, readDefinition } from './definition.js';
import type { EventTypeVersionContent } from './read-schemas.js';

/** Reads one event type with all its schemas; undefined if there is none. */
export async function findEventType(
  read: Pick<Read, 'sql'>,
  id: string,
): Promise<EventTypeDefinition | undefined> {
  const found = await readDefinition(read, id);
  return found && withBuiltInVersions(found);
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
  const [example = {}] = (schema['examples'] ??
    []) as readonly EventTypeVersionContent['example'][];
  return { version, schema, example };
}
