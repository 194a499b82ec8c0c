import {
  type DocumentNode,
  getOperationAST,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { compile } from '../../src/graphql/execute.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { parseOptions, validationRules } from '../../src/graphql/validation.js';
import { readDocuments, operationOf } from './operation-documents.js';
import { printPortalDocuments, printDocumentManifest } from './print-client-documents.js';
import { whyInterpreted } from './why-interpreted.js';

/**
 * Generates the documents of the internal interface by name, and the ids of all known documents that may be compiled.
 * Checks each document, also those of former releases, as `/graphql` checks a text.
 * @throws Error for a document that the service would refuse, or that is not named after its file
 */
export async function printKnownDocuments(root: string): Promise<string> {
  const named = readDocuments(root, 'schema/internal', {
    folder: 'schema/internal',
    members: new Map(),
  });

  for (const document of named) operationOf(document, document.id);

  const internal = Object.fromEntries(named.map(({ id, text }) => [id, text]));
  const manifests = [
    JSON.stringify(internal),
    await printDocumentManifest(root, 'dashboard'),
    await printPortalDocuments(root),
    await printDocumentManifest(root, 'dashboard/operators'),
    await printDocumentManifest(root, 'cli'),
  ];

  const texts = Object.assign({}, ...manifests.map((json) => JSON.parse(json) as object)) as Record<
    string,
    string
  >;

  const { compilable, interpreted } = sortByExecution(texts);

  return `// Made by "npm run generate" from schema/internal and the documents of the clients; changes belong there.

/** The documents of \`/graphql\` that clients call by name. */
export const internalDocuments: ReadonlyMap<string, string> = new Map([
${lines(Object.entries(internal).map((entry) => `  ${JSON.stringify(entry)},`))}]);

/** The ids of known documents that graphql-jit answers as graphql-js does. Only these are compiled. */
export const compilable: ReadonlySet<string> = new Set([
${lines(compilable)}]);

// Interpreted, and why:
${lines(interpreted)}`;
}

/** Divides known documents into those that may be compiled and those that are interpreted, one line for each. */
function sortByExecution(texts: Readonly<Record<string, string>>) {
  const schema = buildSchema();
  const compilable: string[] = [];
  const interpreted: string[] = [];

  for (const [id, text] of Object.entries(texts)) {
    const document = parse(text, parseOptions);
    const [error] = validate(schema, document, [...specifiedRules, ...validationRules]);
    if (error) throw new Error(`${id}: ${error.message}`);

    const name = getOperationAST(document)?.name?.value ?? '';
    const why = whyInterpreted(schema, document) ?? whyNotCompiled(schema, document);
    if (why === undefined) compilable.push(`  "${id}", // ${name}`);
    else interpreted.push(`// ${id} (${name}): ${why}`);
  }

  return { compilable, interpreted };
}

/** The reason that graphql-jit gives; undefined if it compiles the document. */
function whyNotCompiled(schema: GraphQLSchema, document: DocumentNode): string | undefined {
  const { run } = compile(schema, document);
  return typeof run === 'string' ? run : undefined;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
