import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import { buildSchema, Kind, parse, type DocumentNode } from 'graphql';

const header =
  '// Made by "npm run generate" from schema/operations and schema/fragments; changes belong there.\n';

const config = {
  scalars: {
    ID: 'string',
    DateTime: 'string',
    JSON: 'Record<string, unknown>',
    MinorUnits: 'number',
  },
  skipTypename: true,
  namingConvention: 'keep',
};

interface NamedDocument {
  /** The operationId, which is the file's name. */
  readonly id: string;
  readonly text: string;
  readonly document: DocumentNode;
}

/**
 * Generates every document of schema/operations as text, with the types of its variables and result.
 * The text contains the members of its fragments, so that the REST API compiles one text.
 * @throws Error when an operation or fragment is not named after its file, or a spread has no fragment
 */
export async function printOperations(root: string): Promise<string> {
  const fragments = readFragments(join(root, 'schema', 'fragments'));
  const documents = readDocuments(join(root, 'schema', 'operations'), fragments);
  const sdl = readFileSync(join(root, 'schema', 'schema.graphql'), 'utf8');
  const types = await codegen({
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: documents.map(({ id, document }) => ({ location: id, document })),
    filename: 'operations.ts',
    config,
    plugins: [{ operationTypes: {} }],
    pluginMap: { operationTypes },
  });
  return `${header}${types}
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

function readDocuments(folder: string, fragments: ReadonlyMap<string, string>): NamedDocument[] {
  return filesOf(folder).map(([id, source]) => {
    const text = spread(source, fragments);
    return { id, text, document: parse(text) };
  });
}

/** The members of each fragment as text, by its name. */
function readFragments(folder: string): ReadonlyMap<string, string> {
  return new Map(
    filesOf(folder).map(([file, text]) => {
      const [, name, members] = /^fragment (\w+) on \w+ \{\n(.*)\n\}$/s.exec(text) ?? [];
      if (!name || members === undefined || fileOf(name) !== file) {
        throw new Error(
          `schema/fragments/${file}.graphql must contain one fragment, named after the file`,
        );
      }
      return [name, members] as const;
    }),
  );
}

/**
 * Replaces spreads by the members of their fragments, with the same indentation. Ignores the type of
 * the fragment: `WebhookEndpointWithSecret` has the members of `WebhookEndpoint`, but is another type.
 */
function spread(text: string, fragments: ReadonlyMap<string, string>): string {
  return text.replace(/^( *)\.\.\.(\w+)$/gm, (_, indentation: string, name: string) => {
    const members = fragments.get(name);
    if (members === undefined) throw new Error(`schema/fragments has no fragment ${name}`);
    return spread(members, fragments).replace(/^ {2}/gm, indentation);
  });
}

/** The text of each .graphql file of a folder, by its name without extension. */
function filesOf(folder: string): [name: string, text: string][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => [
      file.replace(/\.graphql$/, ''),
      readFileSync(join(folder, file), 'utf8').trim(),
    ]);
}

function fileOf(fragment: string): string {
  return fragment.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

function printDocument({ id, text, document }: NamedDocument): string {
  const [operation] = document.definitions;
  const name = id.replaceAll('.', '_');
  if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.name?.value !== name) {
    throw new Error(`schema/operations/${id}.graphql must contain the operation ${name}`);
  }
  const kind: string = operation.operation;
  const type = `${name}${kind === 'mutation' ? 'Mutation' : 'Query'}`;
  return `  '${id}': {
    kind: '${kind}',
    text: ${JSON.stringify(text)},
  } as OperationDocument<${type}, ${type}Variables>,`;
}
