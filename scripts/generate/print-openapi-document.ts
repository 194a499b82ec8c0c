import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const header = '// Made by "npm run generate" from schema/openapi.yaml; changes belong there.\n';

/** Stands in both texts where the process puts its base URL, as a string of JSON and of YAML. */
const place = '"@base_url@"';

/**
 * A module with schema/openapi.yaml as YAML and as JSON, so that the compiled code alone can serve it.
 * @throws Error when the file has no list of servers of the known form
 */
export function printOpenApiDocument(root: string): Promise<string> {
  const text = readFileSync(join(root, 'schema', 'openapi.yaml'), 'utf8');
  const servers = /^servers:\n(?: .*\n)+/m;
  if (!servers.test(text)) throw new Error('schema/openapi.yaml: no servers were found');
  const yaml = text.replace(servers, `servers:\n  - url: ${place}\n`);
  const json = JSON.stringify(parse(yaml), null, 1);
  for (const served of [yaml, json]) {
    if (served.split(place).length !== 2) throw new Error(`${place} must be there once`);
  }
  return Promise.resolve(
    [
      header,
      `/** Where both texts name the server. */`,
      `export const place = ${JSON.stringify(place)};`,
      ``,
      `export const yaml = ${literal(yaml)};`,
      ``,
      `export const json = ${literal(json)};`,
      ``,
    ].join('\n'),
  );
}

/** A template literal, so that a change of one line is one line of the file. */
function literal(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
}
