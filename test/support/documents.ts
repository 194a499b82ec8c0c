import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.js';
import { pathToFileURL } from 'node:url';
import { type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import { whyInterpreted } from '../../scripts/generate/known-documents.js';
import { KnownDocuments } from '../../src/http/graphql/known-documents.js';
import { parseOptions, validationRules } from '../../src/graphql/validation.js';

/** Returns the text of README.md and of the tour that continues it. */
export function readmeText(): string {
  const pages = ['README.md', join('docs', 'tour.md')];
  return pages.map((page) => readFileSync(join(repositoryRoot, page), 'utf8')).join('\n');
}

/** Returns the block of README.md or docs/tour.md after `<!-- output of: name -->`. @throws Error when it is missing */
export function shownInReadme(name: string): string {
  const block = new RegExp(`<!-- output of: ${name} -->\\n\\n\`\`\`\\w+\\n(.*?)\`\`\``, 's');
  const shown = block.exec(readmeText())?.[1];
  if (shown === undefined) throw new Error(`README.md and docs/tour.md show no output of: ${name}`);
  return shown;
}

/**
 * Replaces the parts of a text that differ between runs: ids, ports, times, tokens, folders, remaining
 * quotas and durations.
 */
export function shapeOf(text: string): string {
  return text
    .trim()
    .replace(/\b(whsec|sk_live)_\w+…?/g, '$1_…')
    .replace(/(sign-in#)\w+…?/g, '$1…')
    .replace(/\b([a-z]{3})_[0-9A-Za-z]{24}\b/g, '$1_…')
    .replace(/\b(localhost|127\.0\.0\.1):\d+/g, '$1:…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(instant)')
    .replace(/^(Date: ).*$/m, '$1…')
    .replace(/;r=\d+;t=\d+|;q=\d+(?=;w)/g, ';…')
    .replace(/^(Content-Length: )\d+$/m, '$1…')
    .replace(/("duration_ms": )\d+/g, '$1…')
    .replace(/^( {2}data {6})\S+/m, '$1…');
}

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

/** Returns the documents of a release that knows these texts. It compiles those that `npm run generate` would list. */
export function releaseOf(
  schema: GraphQLSchema,
  texts: ReadonlyMap<string, string>,
): KnownDocuments {
  const compilable = [...texts].filter(
    ([, text]) => whyInterpreted(schema, parse(text)) === undefined,
  );
  return new KnownDocuments(schema, texts, new Set(compilable.map(([id]) => id)));
}

/**
 * Returns the documents of a release that knows `query` by the id `known`.
 * @returns undefined for a text that `npm run generate` refuses
 */
export function releaseWith(schema: GraphQLSchema, query: string): KnownDocuments | undefined {
  try {
    const document = parse(query, parseOptions);
    const rules = [...specifiedRules, ...validationRules];
    if (validate(schema, document, rules).length > 0) return undefined;
    return releaseOf(schema, new Map([['known', query]]));
  } catch {
    return undefined;
  }
}
