import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The text of each known document, by the SHA-256 of the text in hexadecimal. */
type KnownDocumentTexts = ReadonlyMap<string, string>;

/** The manifests that the builds of the pages and of the command line write. */
const manifests = ['../../../dashboard/documents.json', '../../../cli/documents.json'];
const portalManifests = ['../../../dashboard/portal-documents.json'];
const operatorManifests = ['../../../dashboard/operators/documents.json'];

/**
 * Loads the documents of the dashboard and of the command line that were known when this release was built. A client
 * that is not built has none.
 * @throws Error when an id is not the hash of its text
 */
export async function loadKnownDocuments(files = pathsOf(manifests)): Promise<KnownDocumentTexts> {
  const documents = new Map<string, string>();
  for (const file of files) {
    for (const [id, text] of Object.entries(await readManifest(file))) {
      const hash = createHash('sha256').update(text).digest('hex');
      if (id !== hash) throw new Error(`${file}: ${id} is not the SHA-256 of its text.`);
      documents.set(id, text);
    }
  }
  return documents;
}

/** Loads the documents of the portal's pages. @throws Error as {@link loadKnownDocuments} */
export function loadPortalDocuments(): Promise<KnownDocumentTexts> {
  return loadKnownDocuments(pathsOf(portalManifests));
}

/** Loads the documents of the pages of operators. @throws Error as {@link loadKnownDocuments} */
export function loadOperatorDocuments(): Promise<KnownDocumentTexts> {
  return loadKnownDocuments(pathsOf(operatorManifests));
}

function pathsOf(names: readonly string[]): string[] {
  return names.map((name) => fileURLToPath(new URL(name, import.meta.url)));
}

async function readManifest(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
