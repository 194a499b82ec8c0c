import { readEventSchemas } from './event-schemas.js';

const header = '// Made by "npm run generate" from schema/events; changes belong there.\n';

/**
 * Generates the data of test events from the examples of their schemas.
 * @throws Error for a schema that has not exactly one example
 */
export function printSamples(root: string): Promise<string> {
  const samples = readEventSchemas(root).map(({ type, file, schema }) => {
    const [example, ...others] = (schema['examples'] ?? []) as readonly unknown[];
    if (example === undefined || others.length > 0) {
      throw new Error(`schema/events/${file} must have "examples" with one entry`);
    }
    return [type, example] as const;
  });
  const text = [
    `/** The data of a test event of each type that is sent. */`,
    `export const samples = ${JSON.stringify(Object.fromEntries(samples), null, 2)};`,
    ``,
  ].join('\n');
  return Promise.resolve(header + text);
}
