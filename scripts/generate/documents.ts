import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import { buildSchema, type DocumentNode, Kind, parse } from 'graphql';

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

/** A GraphQL document of one operation. */
export interface NamedDocument {
  /** The name of the operation in a client, otherwise the name of its file without extension. */
  readonly id: string;
  /** The path of its file from the root. */
  readonly path: string;
  readonly text: string;
  readonly document: DocumentNode;
}

/**
 * Generates the types of variables and result of each document. Checks the documents against the SDL.
 * @throws Error for a document that does not fit the SDL
 */
export async function printOperationTypes(
  root: string,
  documents: readonly NamedDocument[],
): Promise<string> {
  const sdl = readFileSync(join(root, 'schema', 'schema.graphql'), 'utf8');
  return codegen({
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: documents.map(({ id, document }) => ({ location: id, document })),
    filename: 'operations.ts',
    config,
    plugins: [{ operationTypes: {} }],
    pluginMap: { operationTypes },
  });
}

/**
 * The kind of the operation of a document, and the name of the type of its result.
 * @throws Error when the document does not contain the operation `name`
 */
export function operationOf({ path, document }: NamedDocument, name: string) {
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || operation.name?.value !== name) {
    throw new Error(`${path} must contain the operation ${name}`);
  }
  const kind: string = operation.operation;
  return { kind, type: `${name}${kind === 'mutation' ? 'Mutation' : 'Query'}` };
}

/**
 * Reads the documents of a folder with one operation per file, sorted by file. Replaces spreads by the
 * members of fragments.
 */
export function readDocuments(root: string, folder: string, fragments: Fragments): NamedDocument[] {
  return filesOf(join(root, folder)).map(([id, source]) => {
    const text = spread(source, fragments);
    return { id, path: `${folder}/${id}.graphql`, text, document: parse(text) };
  });
}

/** The members of each fragment as text, by its name. */
interface Fragments {
  readonly folder: string;
  readonly members: ReadonlyMap<string, string>;
}

/**
 * Reads the fragments of a folder, which may be missing.
 * @throws Error when a fragment is not named after its file
 */
export function readFragments(root: string, folder: string): Fragments {
  const path = join(root, folder);
  const files = existsSync(path) ? filesOf(path) : [];
  const members = new Map(
    files.map(([file, text]) => {
      const [, name, body] = /^fragment (\w+) on \w+ \{\n(.*)\n\}$/s.exec(text) ?? [];
      if (!name || body === undefined || kebab(name) !== file) {
        throw new Error(
          `${folder}/${file}.graphql must contain one fragment, named after the file`,
        );
      }
      return [name, body] as const;
    }),
  );
  return { folder, members };
}

/**
 * Replaces spreads by the members of their fragments, with the same indentation. Ignores the type of
 * the fragment: `WebhookEndpointWithSecret` has the members of `WebhookEndpoint`, but is another type.
 */
function spread(text: string, fragments: Fragments): string {
  return text.replace(/^( *)\.\.\.(\w+)$/gm, (_, indentation: string, name: string) => {
    const members = fragments.members.get(name);
    if (members === undefined) throw new Error(`${fragments.folder} has no fragment ${name}`);
    return spread(members, fragments).replace(/^ {2}/gm, indentation);
  });
}

/** Reads the text of each .graphql file of a folder, by its name without extension. */
function filesOf(folder: string): [name: string, text: string][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => [
      file.replace(/\.graphql$/, ''),
      readFileSync(join(folder, file), 'utf8').trim(),
    ]);
}

/** Returns the name of the file of a fragment or an operation, such as `webhook-endpoint` for `WebhookEndpoint`. */
function kebab(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** The folder of a client that runs documents by their ids. */
type Client = 'dashboard' | 'dashboard/operators' | 'cli';

/**
 * Generates the documents of a client with the types of variables and result. The client holds only
 * the id of each, which {@link printDocumentManifest} maps to the text.
 * @throws Error for a document that does not fit the SDL, an operation without a name, or a misnamed file
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
  return printManifest({ ...current, ...readFormer(root, client) });
}

/** Generates the manifest of the documents that the portal runs, in the same form. */
export function printPortalDocuments(root: string): Promise<string> {
  const current = manifestOf(readShared(root));
  const names = new Set(Object.values(current).map(nameOf));
  const former = Object.entries(readFormer(root, 'dashboard'));
  const ofPortal = former.filter(([, text]) => names.has(nameOf(text)));
  return printManifest({ ...current, ...Object.fromEntries(ofPortal) });
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

function printManifest(manifest: Manifest): Promise<string> {
  return Promise.resolve(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** The pages of the portal are pages of the dashboard, which runs their documents, too. */
function readAll(root: string, client: Client): NamedDocument[] {
  const fragments = readFragments(root, `${client}/documents/fragments`);
  const own = readOperations(root, `${client}/documents`, fragments);
  if (client !== 'dashboard') return own;
  const fileOf = ({ path }: NamedDocument) => basename(path);
  return [...own, ...readShared(root)].sort((one, other) => (fileOf(one) < fileOf(other) ? -1 : 1));
}

/** The documents of pages that the dashboard shares with the portal. */
function readShared(root: string): NamedDocument[] {
  const fragments = readFragments(root, 'dashboard/documents/fragments');
  return readOperations(root, 'dashboard/documents/shared', fragments);
}

/**
 * Reads the documents of a folder of a client, in the order of its files. A file of the dashboard holds one operation
 * and is named after it. A file of the command line may hold several, with a blank line between them.
 * @throws Error for a file with anything else
 */
function readOperations(root: string, folder: string, fragments: Fragments): NamedDocument[] {
  return filesOf(join(root, folder)).flatMap(([file, source]) =>
    source.split(/\n\n(?=query |mutation )/).map((operation) => {
      const path = `${folder}/${file}.graphql`;
      const text = spread(operation, fragments);
      const id = nameOf(text);
      const document = parse(text);
      if (id === undefined || document.definitions.length > 1) {
        throw new Error(
          `${path} must contain only named operations, with a blank line between them`,
        );
      }
      if (folder.startsWith('dashboard/') && kebab(id) !== file) {
        throw new Error(`${path} must contain one operation, named after the file`);
      }
      return { id, path, text, document };
    }),
  );
}

function printDocument(named: NamedDocument): string {
  const { id, text } = named;
  const { kind, type } = operationOf(named, id);
  return `
export const ${id}Document = {
  id: '${idOf(text)}',
  kind: '${kind}',
} as Document<${type}, ${type}Variables>;
`;
}

function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
