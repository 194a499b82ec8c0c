import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

/** What people read: documents, descriptions of the interface, and sources with their comments. */
const readable =
  /^(?:[^/]+\.md|docs\/.*\.md|schema\/.*\.(?:ya?ml|graphql|json)|(?:cli|src|workers|tools)\/.*\.(?:ts|md))$/;
/** Copies of `schema/openapi.yaml`, which is checked itself. */
const generated = /\/generated\//;

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const files = execFileSync('git', ['ls-files'], { cwd: repositoryRoot, encoding: 'utf8' })
  .split('\n')
  .filter((path) => readable.test(path) && !generated.test(path));

/** The words that CONTRIBUTING.md rules out. */
function ruledOut(text: string): string[] {
  const [, list = ''] = /^Do not write these words:(.*?)\.$/ms.exec(text) ?? [];
  return [...list.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

/** A phrase may go on in the next line of a comment, a quotation or a list; "is" stands for its other forms too. */
function patternOf(word: string): string {
  return word.replace(/^is /, '(?:is|are|was|were) ').replaceAll(' ', '[\\s*/#>]+');
}

/** Each use of one of `words` as `path:line: word`; code in backticks of a document may have them. */
function found(path: string, text: string, words: readonly string[]): string[] {
  const blank = (code: string) => ' '.repeat(code.length);
  const prose = path.endsWith('.md') ? text.replaceAll(/`[^`\n]*`/g, blank) : text;
  const pattern = new RegExp(`(?<![\\w-])(?:${words.map(patternOf).join('|')})(?![\\w-])`, 'gi');
  return [...prose.matchAll(pattern)].map(({ 0: word, index }) => {
    const line = prose.slice(0, index).split('\n').length;
    return `${path}:${line}: ${word.replaceAll(/[\s*/#>]+/g, ' ')}`;
  });
}

describe('plain English', () => {
  const words = ruledOut(read('CONTRIBUTING.md'));

  it('has a list of words not to use', () => {
    expect(words).to.include.members(['whoever', 'nobody', 'for ever', 'is told of']);
    const text = 'Whoever asks,\n`nobody` knows for\never.';
    expect(found('x.md', text, words)).to.deep.equal(['x.md:1: Whoever', 'x.md:2: for ever']);
    const comment = '/**\n * They are\n * told of `nobody`.\n */';
    expect(found('x.ts', comment, words)).to.deep.equal(['x.ts:2: are told of', 'x.ts:3: nobody']);
  });

  it('keeps these words out of documents, descriptions of the interface and sources', () => {
    expect(files.flatMap((path) => found(path, read(path), words))).to.deep.equal([]);
  });
});
