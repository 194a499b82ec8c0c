import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import { buildSchema, Kind, parse, type DocumentNode } from 'graphql';

const header = '// Made by "npm run generate" from schema/operations; changes belong there.\n';

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
 * @throws Error when a document's operation is not named after its file
 */
export async function printOperations(root: string): Promise<string> {
  const documents = readDocuments(join(root, 'schema', 'operations'));
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

function readDocuments(folder: string): NamedDocument[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8').trim();
      return { id: file.replace(/\.graphql$/, ''), text, document: parse(text) };
    });
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
