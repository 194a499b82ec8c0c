import {
  type NamedDocument,
  operationOf,
  printOperationTypes,
  readDocuments,
  readFragments,
} from './operation-documents.js';

const header =
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

function printDocument(named: NamedDocument): string {
  const { id, text } = named;
  const name = id.replaceAll('.', '_');
  const { kind, type } = operationOf(named, name);
  return `  '${id}': {
    kind: '${kind}',
    text: ${JSON.stringify(text)},
  } as OperationDocument<${type}, ${type}Variables>,`;
}
