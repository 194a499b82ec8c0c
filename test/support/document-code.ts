import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from './repository.js';

/** The code blocks of a document, as files that can be imported. */
export interface DocumentCode {
  readonly names: readonly string[];
  /** Imports the block with this name. */
  load<Module>(name: string): Promise<Module>;
  remove(): void;
}

/**
 * Writes every block that begins with "```js <name>" to a folder in `dist`, where imports resolve to the
 * packages of this project.
 * @throws Error when a block has no name, because no test could run it
 */
export function extractCode(document: string): DocumentCode {
  const text = readFileSync(join(repositoryRoot, document), 'utf8');
  const blocks = [...text.matchAll(/^```(?:js|ts)\b *(\S*)\n(.*?)^```$/gms)].map(
    ([, name = '', code = '']) => ({ name, code }),
  );
  if (blocks.some(({ name }) => name === '')) {
    throw new Error(
      `${document} has a code block without a name, so no test can run it: add one after js`,
    );
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
