import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString } from 'openapi-typescript';

const header = '// Made by "npm run generate" from schema/openapi.yaml; changes belong there.\n';

/** Generates the TypeScript types of the public contract. */
export async function printTypes(root: string): Promise<string> {
  const source = pathToFileURL(join(root, 'schema', 'openapi.yaml'));
  return header + astToString(await openapiTypes(source, { defaultNonNullable: false }));
}
