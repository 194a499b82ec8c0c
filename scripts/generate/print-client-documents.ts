import { createHash } from 'node:crypto';
import {
  type NamedDocument,
  operationOf,
  printOperationTypes,
  readDocuments,
  readFragments,
} from './operation-documents.js';

/** The folder of a client that runs documents by their ids. */
type Client = 'dashboard' | 'dashboard/operators' | 'cli';

/**
 * Generates the documents of a client with the types of variables and result. The
 * client holds only the id of each, which the manifest of {@link printTrustedDocuments} turns into text.
 * @throws Error for a document that does not fit the SDL, or is not named after its file
 */
export async function printClientDocuments(root: string, client: Client): Promise<string> {
  const documents = readAll(root, client);
  return `// Made by "npm run generate" from ${client}/documents; changes belong there.
${await printOperationTypes(root, documents)}
/** An operation that the service executes by its id. \`result\` and \`variables\` exist only as types. */
export interface Document<Result, Variables> {
  readonly id: string;
  readonly kind: 'query' | 'mutation';
  readonly result?: Result;
  readonly variables?: Variables;
}
${documents.map(printDocument).join('')}`;
}

/** Generates the manifest of trusted documents: each text by its id, the SHA-256 of the text. */
export function printTrustedDocuments(root: string, client: Client): Promise<string> {
  return manifestOf(readAll(root, client));
}

/** Generates the manifest of the documents that the portal runs, in the same form. */
export function printPortalDocuments(root: string): Promise<string> {
  return manifestOf(readPortal(root));
}

function manifestOf(documents: readonly NamedDocument[]): Promise<string> {
  const entries = documents.map(({ text }) => [idOf(text), text] as const);
  return Promise.resolve(`${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

/** The pages of the portal are pages of the dashboard, which runs their documents, too. */
function readAll(root: string, client: Client): NamedDocument[] {
  const fragments = readFragments(root, `${client}/documents/fragments`);
  const own = readDocuments(root, `${client}/documents`, fragments);
  if (client !== 'dashboard') return own;
  const fileOf = ({ id }: NamedDocument) => `${id}.graphql`;
  return [...own, ...readPortal(root)].sort((one, other) => (fileOf(one) < fileOf(other) ? -1 : 1));
}

function readPortal(root: string): NamedDocument[] {
  const fragments = readFragments(root, 'dashboard/documents/fragments');
  return readDocuments(root, 'dashboard/documents/portal', fragments);
}

function printDocument(named: NamedDocument): string {
  const name = named.id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const { kind, type } = operationOf(named, name);
  return `
export const ${name}Document = {
  id: '${idOf(named.text)}',
  kind: '${kind}',
} as Document<${type}, ${type}Variables>;
`;
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
