import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

/** What people read: documents, descriptions of the interface, what is deployed, and sources with their comments. */
const readable =
  /^(?:[^/]+\.md|docs\/.*\.md|schema\/.*\.(?:ya?ml|graphql|json)|deploy\/.*|(?:bench|cli|dashboard|scripts|src|workers|tools)\/.*\.(?:tsx?|mjs|css|html|md))$/;
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

/**
 * A phrase may go on in the next line of a comment, a quotation or a list. "is" and "tells" stand for their
 * other forms too, and a word such as "not" may follow "is".
 */
function patternOf(word: string): string {
  return word
    .replace(/^is /, '(?:is|are|was|were|be|been)(?: \\w+)? ')
    .replace(/^tells /, 'tells? ')
    .replaceAll(' ', '[\\s*/#>]+');
}

/** Each use of one of `words` as `path:line: word`; code in backticks of a document may have them. */
function found(path: string, text: string, words: readonly string[]): string[] {
  const blank = (code: string) => ' '.repeat(code.length);
  const prose = path.endsWith('.md') ? text.replaceAll(/`[^`\n]*`/g, blank) : text;
  const pattern = new RegExp(`(?<![\\w-])(?:${words.map(patternOf).join('|')})(?![\\w-])`, 'gi');
  return [...prose.matchAll(pattern)].flatMap(({ 0: word, index }) => {
    if (/[a-z][A-Z]/.test(word)) return []; // A name in camel case.
    const line = prose.slice(0, index).split('\n').length;
    return `${path}:${line}: ${word.replaceAll(/[\s*/#>]+/g, ' ')}`;
  });
}

/** A test file with all but its titles blanked, so that each line keeps its number. */
function titlesOf(source: string): string {
  const title = /((?<!\.)\b(?:describe\w*|it)\(\s*(['"`])(?:\\.|(?!\2)[^\\])*\2)|\w+|[^\n]/g;
  return source.replaceAll(title, (_, whole?: string) => whole ?? ' ');
}

const maxWords = 25;

/** The sentences of a document with too many words, without its code, tables and headings. A colon ends one. */
function longSentences(path: string, text: string): string[] {
  const prose = text
    .replaceAll(/^ *```.*?^ *```/gms, '')
    .replaceAll(/^ *(?:\||#|<|!\[).*$/gm, '')
    .replaceAll(/(`+).*?\1/gs, 'code');
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
  return blocks
    .flatMap((block) => block.split(/(?<=[.!?:][")”*_]*)\s/))
    .map((sentence) => sentence.trim().split(/\s+/))
    .filter((words) => words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length > maxWords)
    .map((words) => `${path}: ${words.join(' ')}`);
}

describe('plain English', () => {
  const words = ruledOut(read('CONTRIBUTING.md'));

  it('has a list of words not to use', () => {
    expect(words).to.include.members(['whoever', 'nobody', 'for ever', 'is told of']);
    const text = 'Whoever asks,\n`nobody` knows for\never.';
    expect(found('x.md', text, words)).to.deep.equal(['x.md:1: Whoever', 'x.md:2: for ever']);
    const comment = '/**\n * They are\n * told of `nobody`.\n */';
    expect(found('x.ts', comment, words)).to.deep.equal(['x.ts:2: are told of', 'x.ts:3: nobody']);
    const others = 'It is not told\n# of it, and can\ntell of noBody.';
    const uses = ['x.yaml:1: is not told of', 'x.yaml:3: tell of'];
    expect(found('x.yaml', others, words)).to.deep.equal(uses);
  });

  it('keeps these words out of documents, descriptions of the interface, charts and sources', () => {
    const texts = files.filter((path) => readable.test(path));
    for (const path of ['dashboard/src/texts/en.ts', 'deploy/monitoring/alerts.yaml']) {
      expect(texts).to.include(path);
    }
    expect(texts.flatMap((path) => found(path, read(path), words))).to.deep.equal([]);
  });

  it('has sentences of at most 25 words in its documents', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
    const text = [
      `# ${words(30)}`,
      `Short. ${words(maxWords)}.`,
      `- ${words(20)}\n  ${words(6)} \`${words(9)}\`.`,
      `1. ${words(20)}: ${words(20)}`,
      `| ${words(30)} |`,
      `\`\`\`sh\n${words(30)}\n\`\`\``,
    ];
    expect(longSentences('x.md', text.join('\n\n'))).to.deep.equal([`x.md: - ${words(26)} code.`]);
    const documents = files.filter((path) => path.endsWith('.md'));
    expect(documents).to.include.members(['README.md', 'docs/operations.md']);
    expect(documents.flatMap((path) => longSentences(path, read(path)))).to.deep.equal([]);
  });

  it('keeps these words out of titles of tests', () => {
    const source = "it('asks',\n  () => is('nobody'));\n\nit(\n  `can\\`t ask\n  whoever`,";
    expect(found('x.ts', titlesOf(source), words)).to.deep.equal(['x.ts:6: whoever']);
    const titled = files.filter((path) => tests.test(path));
    expect(titled).to.have.lengthOf.above(100);
    expect(titled.flatMap((path) => found(path, titlesOf(read(path)), words))).to.deep.equal([]);
  });
});
