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
 * Every document of schema/operations as text, with the types of its variables and its result.
 * The members of its fragments stand in the text, so that one text is all the facade compiles.
 * @throws Error when an operation or a fragment is not named after its file, or a spread names none
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
/** The text of an operation; the types are only for the compiler. */
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

/** The members that each fragment names, as text, by its name. */
function readFragments(folder: string): ReadonlyMap<string, string> {
  return new Map(
    filesOf(folder).map(([file, text]) => {
      const [, name, members] = /^fragment (\w+) on \w+ \{\n(.*)\n\}$/s.exec(text) ?? [];
      if (!name || members === undefined || fileOf(name) !== file) {
        throw new Error(`schema/fragments/${file}.graphql must hold the fragment of that name`);
      }
      return [name, members] as const;
    }),
  );
}

/**
 * Puts the members of fragments where they are spread, at the indentation of the spread. By name only:
 * `WebhookEndpointWithSecret` has the members of `WebhookEndpoint` without being one.
 */
function spread(text: string, fragments: ReadonlyMap<string, string>): string {
  return text.replace(/^( *)\.\.\.(\w+)$/gm, (_, indentation: string, name: string) => {
    const members = fragments.get(name);
    if (members === undefined) throw new Error(`schema/fragments has no fragment ${name}`);
    return spread(members, fragments).replace(/^ {2}/gm, indentation);
  });
}

/** The text of each file of a folder, by its name without the ending. */
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
    throw new Error(`schema/operations/${id}.graphql must hold the operation ${name}`);
  }
  const kind: string = operation.operation;
  const type = `${name}${kind === 'mutation' ? 'Mutation' : 'Query'}`;
  return `  '${id}': {
    kind: '${kind}',
    text: ${JSON.stringify(text)},
  } as OperationDocument<${type}, ${type}Variables>,`;
}
