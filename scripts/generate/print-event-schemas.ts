import { readEventSchemas } from './event-schemas.js';

const header = '// Made by "npm run generate" from schema/events; changes belong there.\n';

/**
 * Generates the schemas of the event types that come with the service.
 * @throws Error for a schema that has not exactly one example
 */
export function printEventSchemas(root: string): Promise<string> {
  const schemas = readEventSchemas(root).map(({ type, version, file, schema }) => {
    const [example, ...others] = (schema['examples'] ?? []) as readonly unknown[];
    if (example === undefined || others.length > 0) {
      throw new Error(`schema/events/${file} must have "examples" with one entry`);
    }
    return [`${type}/${version}`, schema] as const;
  });
  const text = [
    `/** The JSON Schema of the data of each event type that is sent, by type and version. */`,
    `export const eventSchemas = ${JSON.stringify(Object.fromEntries(schemas), null, 2)};`,
    ``,
  ].join('\n');
  return Promise.resolve(header + text);
}
