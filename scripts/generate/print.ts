import { buildSchema, printSdl as print } from '../../src/graphql/schema.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import {
  type NamedDocument,
  operationOf,
  printOperationTypes,
  readDocuments,
  readFragments,
} from './documents.js';
import { readdirSync, readFileSync } from 'node:fs';

/** Generates schema/schema.graphql from the code. */
export function printSdl(): Promise<string> {
  return Promise.resolve(print(buildSchema()));
}

const typesHeader =
  '// Made by "npm run generate" from schema/openapi.yaml; changes belong there.\n';

/** Generates the TypeScript types of the public contract. */
export async function printTypes(root: string): Promise<string> {
  const source = pathToFileURL(join(root, 'schema', 'openapi.yaml'));
  return typesHeader + astToString(await openapiTypes(source, { defaultNonNullable: false }));
}

const clientTypesHeader =
  '// Made by "npm run generate" from schema/openapi.yaml, with its closed objects open; changes belong there.\n';

/** Generates the TypeScript types of the client from the description as it is served. */
export async function printClientTypes(root: string): Promise<string> {
  const build = new URL('../../../scripts/build-schema.mjs', import.meta.url);
  const { schemaFiles } = (await import(build.href)) as {
    schemaFiles: (from: string) => Promise<Readonly<Record<'openapi.json', string>>>;
  };
  const description = openObjects(JSON.parse((await schemaFiles(root))['openapi.json']));
  return (
    clientTypesHeader +
    astToString(await openapiTypes(description as OpenAPI3, { defaultNonNullable: false }))
  );
}

/**
 * Returns a copy of a description in which objects may have members that it does not name, as the
 * description advises to generators.
 */
export function openObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openObjects);
  if (typeof value !== 'object' || value === null) return value;

  const members = Object.entries(value).filter(
    ([name, inner]) => !(/^(?:additional|unevaluated)Properties$/.test(name) && inner === false),
  );
  const copy = Object.fromEntries(members.map(([name, inner]) => [name, openObjects(inner)]));
  // Otherwise the generator takes an object without properties for an empty one.
  const isBare = copy['type'] === 'object' && !('properties' in copy);
  return isBare ? { additionalProperties: true, ...copy } : copy;
}

const operationsHeader =
  '// Made by "npm run generate" from schema/operations and schema/fragments; changes belong there.\n';

/**
 * Generates every document of schema/operations as text, with the types of its variables and result.
 * The text contains the members of its fragments, so that the REST API compiles one text.
 * @throws Error when an operation or fragment is not named after its file, or a spread has no fragment
 */
export async function printOperations(root: string): Promise<string> {
  const fragments = readFragments(root, 'schema/fragments');
  const documents = readDocuments(root, 'schema/operations', fragments);
  const types = await printOperationTypes(root, documents);
  return `${operationsHeader}${types}
/** The text of an operation. \`result\` and \`variables\` exist only as types. */
export interface OperationDocument<Result, Variables> {
  readonly text: string;
  readonly kind: 'query' | 'mutation';
  readonly result?: Result;
  readonly variables?: Variables;
}

/** One document for each operationId. */
export const documents = {
${documents.map(printDocument).join('\n')}
};
`;
}

function printDocument(named: NamedDocument): string {
  const { id, text } = named;
  const name = id.replaceAll('.', '_');
  const { kind, type } = operationOf(named, name);
  return `  '${id}': {
    kind: '${kind}',
    text: ${JSON.stringify(text)},
  } as OperationDocument<${type}, ${type}Variables>,`;
}

const migrationsHeader = `// Made by "npm run generate" from src/database/migrations.
import type { MigrationInterface } from 'typeorm';
`;

/**
 * Generates the list of migrations, sorted by file.
 * @throws Error for a numbered file that does not export one class
 */
export function printMigrations(root: string): Promise<string> {
  const folder = join(root, 'src', 'database', 'migrations');
  const found = readdirSync(folder)
    .filter((file) => /^\d{4}-.+\.ts$/.test(file))
    .sort()
    .map((file) => {
      const classes = readFileSync(join(folder, file), 'utf8').matchAll(/^export class (\w+)/gm);
      const [name, ...others] = Array.from(classes, ([, each]) => each);
      if (!name || others.length > 0) throw new Error(`${file} must export one class`);
      return { name, path: `../migrations/${file.replace(/\.ts$/, '.js')}` };
    });

  const names = found.map(({ name }) => `  ${name},\n`).join('');
  return Promise.resolve(`${migrationsHeader}${found
    .map(({ name, path }) => `import { ${name} } from '${path}';\n`)
    .join('')}
/** All migrations in order, as a list and not a glob, so that every build has the same. */
export const migrations: (new () => MigrationInterface)[] = [
${names}];
`);
}

const shownLines = 60;

/** The lines that differ: `-` as found, `+` as wanted. At most 60 lines, without common start and end. */
export function lineDiff(found: string, wanted: string): string {
  const before = found.split('\n');
  const after = wanted.split('\n');
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start])
    start += 1;

  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }

  const lines = [
    `@@ line ${start + 1} @@`,
    ...before.slice(start, before.length - end).map((line) => `- ${line}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${line}`),
  ];

  const hidden = lines.length - shownLines;
  return [...lines.slice(0, shownLines), ...(hidden > 0 ? [`… ${hidden} more`] : [])].join('\n');
}
