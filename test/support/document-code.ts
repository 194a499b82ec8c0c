import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from './repository.js';

/** The programs of a document, as files that can be imported. */
export interface DocumentCode {
  readonly names: readonly string[];
  /** Imports the block that is named `name` in the document. */
  load<Module>(name: string): Promise<Module>;
  remove(): void;
}

/**
 * Writes every block that begins with "```js <name>" to a folder inside `dist`, where the packages of
 * this project can be resolved.
 * @throws when a js block has no name, because nothing could run it
 */
export function extractCode(document: string): DocumentCode {
  const text = readFileSync(join(repositoryRoot, document), 'utf8');
  const blocks = [...text.matchAll(/^```(?:js|ts)\b *(\S*)\n(.*?)^```$/gms)].map(
    ([, name = '', code = '']) => ({ name, code }),
  );
  if (blocks.some(({ name }) => name === '')) {
    throw new Error(`${document} has a program without a name, so no test can run it`);
  }
  const folder = mkdtempSync(join(repositoryRoot, 'dist', 'document-'));
  for (const { name, code } of blocks) writeFileSync(join(folder, name), code);
  return {
    names: blocks.map(({ name }) => name),
    load: <Module>(name: string) =>
      import(pathToFileURL(join(folder, name)).href) as Promise<Module>,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
