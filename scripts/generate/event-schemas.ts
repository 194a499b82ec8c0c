import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The JSON Schema of the data of one event type, in one version. */
export interface EventSchema {
  readonly type: string;
  readonly version: string;
  /** The name of its file in schema/events. */
  readonly file: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/**
 * Reads schema/events, sorted by file.
 * @throws Error for a file that is not named after its type and version
 */
export function readEventSchemas(root: string): EventSchema[] {
  const folder = join(root, 'schema', 'events');
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, type, version] = /^(.+)\.(v\d+)\.json$/.exec(file) ?? [];
      if (!type || !version) {
        throw new Error(`schema/events/${file} must be named <type>.<version>.json`);
      }
      const schema = JSON.parse(readFileSync(join(folder, file), 'utf8')) as EventSchema['schema'];
      return { type, version, file, schema };
    });
}
