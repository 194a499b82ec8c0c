import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

/** What people read: documents, descriptions of the interface, and sources with their comments. */
const readable =
  /^(?:[^/]+\.md|docs\/.*\.md|schema\/.*\.(?:ya?ml|graphql|json)|(?:cli|src|workers|tools)\/.*\.(?:ts|md))$/;
/** Of these, only titles are checked: other strings of a test may be any input. */
const tests = /^test\/.*\.test\.ts$/;
/** Copies of `schema/openapi.yaml`, which is checked itself. */
const generated = /\/generated\//;

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const files = execFileSync('git', ['ls-files'], { cwd: repositoryRoot, encoding: 'utf8' })
  .split('\n')
  .filter((path) => !generated.test(path));

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

/** A test file with all but its titles blanked, so that each line keeps its number. */
function titlesOf(source: string): string {
  const title = /((?<!\.)\b(?:describe\w*|it)\(\s*(['"`])(?:\\.|(?!\2)[^\\])*\2)|\w+|[^\n]/g;
  return source.replaceAll(title, (_, whole?: string) => whole ?? ' ');
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
    const texts = files.filter((path) => readable.test(path));
    expect(texts.flatMap((path) => found(path, read(path), words))).to.deep.equal([]);
  });

  it('keeps these words out of titles of tests', () => {
    const source = "it('asks',\n  () => is('nobody'));\n\nit(\n  `can\\`t ask\n  whoever`,";
    expect(found('x.ts', titlesOf(source), words)).to.deep.equal(['x.ts:6: whoever']);
    const titled = files.filter((path) => tests.test(path));
    expect(titled).to.have.lengthOf.above(100);
    expect(titled.flatMap((path) => found(path, titlesOf(read(path)), words))).to.deep.equal([]);
  });
});
