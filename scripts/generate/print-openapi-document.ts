import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const header = '// Made by "npm run generate" from schema/openapi.yaml; changes belong there.\n';

/** Placeholder for the base URL, which the process fills in; valid as a string in JSON and in YAML. */
const place = '"@base_url@"';

/**
 * Generates a module with schema/openapi.yaml as YAML and as JSON, so that compiled code can serve it.
 * @throws Error when the file has no `servers` in block style
 */
export function printOpenApiDocument(root: string): Promise<string> {
  const text = readFileSync(join(root, 'schema', 'openapi.yaml'), 'utf8');
  const servers = /^servers:\n(?: .*\n)+/m;
  if (!servers.test(text)) throw new Error('schema/openapi.yaml: found no servers in block style');
  const yaml = text.replace(servers, `servers:\n  - url: ${place}\n`);
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

/** A template literal, so that one changed line changes one line of the generated file. */
function literal(text: string): string {
  return `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
}
