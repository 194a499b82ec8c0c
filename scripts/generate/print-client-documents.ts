import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
 * client holds only the id of each, which {@link printDocumentManifest} maps to the text.
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

/** The text of each operation by its id, the SHA-256 of the text. */
type Manifest = Readonly<Record<string, string>>;

/** Generates the manifest of a client's known documents, with those of former releases. */
export function printDocumentManifest(root: string, client: Client): Promise<string> {
  const current = manifestOf(readAll(root, client));
  return print({ ...current, ...readFormer(root, client) });
}

/** Generates the manifest of the documents that the portal runs, in the same form. */
export function printPortalDocuments(root: string): Promise<string> {
  const current = manifestOf(readPortal(root));
  const names = new Set(Object.values(current).map(nameOf));
  const former = Object.entries(readFormer(root, 'dashboard'));
  const ofPortal = former.filter(([, text]) => names.has(nameOf(text)));
  return print({ ...current, ...Object.fromEntries(ofPortal) });
}

function manifestOf(documents: readonly NamedDocument[]): Manifest {
  return Object.fromEntries(documents.map(({ text }) => [idOf(text), text]));
}

/**
 * Reads the manifests of former releases. Pages that were open before an upgrade ask for these documents, and older
 * command lines.
 */
function readFormer(root: string, client: Client): Manifest {
  const folder = join(root, client, 'documents', 'former');
  const texts = readdirSync(folder)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Manifest);
  return Object.assign({}, ...texts) as Manifest;
}

/** The name of the operation of a document. */
function nameOf(text: string): string | undefined {
  return /^(?:query|mutation) (\w+)/.exec(text)?.[1];
}

function print(manifest: Manifest): Promise<string> {
  return Promise.resolve(`${JSON.stringify(manifest, null, 2)}\n`);
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
