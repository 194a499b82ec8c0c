import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { readEventSchemas } from './event-schemas.js';

const header = '// Made by "npm run generate" from schema/openapi.yaml; changes belong there.\n';

/** Placeholder for the base URL, which the process fills in; valid as a string in JSON and in YAML. */
const place = '"@base_url@"';

/**
 * Generates a module with schema/openapi.yaml as YAML and as JSON, so that compiled code can serve it.
 * Both hold the schemas of events, because the files of schema/events have no address.
 * @throws Error when the file has no `servers` in block style
 */
export function printOpenApiDocument(root: string): Promise<string> {
  const text = readFileSync(join(root, 'schema', 'openapi.yaml'), 'utf8');
  const servers = /^servers:\n(?: .*\n)+/m;
  if (!servers.test(text)) throw new Error('schema/openapi.yaml: found no servers in block style');
  const yaml = withEventSchemas(root, text.replace(servers, `servers:\n  - url: ${place}\n`));
  const json = JSON.stringify(parse(yaml), null, 1);
  for (const served of [yaml, json]) {
    if (served.split(place).length !== 2)
      throw new Error(`schema/openapi.yaml: ${place} must occur exactly once`);
  }
  return Promise.resolve(
    [
      header,
      `/** The placeholder for the base URL in both texts. */`,
      `export const place = ${JSON.stringify(place)};`,
      ``,
      `export const yaml = ${literal(yaml)};`,
      ``,
      `export const json = ${literal(json)};`,
      ``,
    ].join('\n'),
  );
}

/** Moves the schema of each event into `components/schemas`, under the name of its file. */
function withEventSchemas(root: string, description: string): string {
  const heading = /^ {2}schemas:\n/m;
  if (!heading.test(description)) throw new Error('schema/openapi.yaml: found no schemas');

  const schemas = readEventSchemas(root).map(({ type, version, schema }) => [
    `${type}.${version}`,
    // A component may have `$schema` only beside `$id`. OpenAPI 3.1 takes this dialect anyway.
    { ...schema, $schema: undefined },
  ]);
  // Parsers of YAML 1.1 read unquoted times as dates.
  const style = {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
  } as const;
  const components = stringify(Object.fromEntries(schemas), style).trimEnd().replace(/^/gm, '    ');

  return description
    .replace(/'\.\/events\/(.+)\.json'/g, "'#/components/schemas/$1'")
    .replace(heading, (line) => `${line}${components}\n`);
}

/** A template literal, so that one changed line changes one line of the generated file. */
function literal(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
}
