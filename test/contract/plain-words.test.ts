import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

/** What people read outside of TypeScript. */
const documents = [
  ...readdirSync(repositoryRoot).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'schema/openapi.yaml',
  'schema/schema.graphql',
];

/** The words that CONTRIBUTING.md rules out. */
function ruledOut(text: string): string[] {
  const [, list = ''] = /^Do not write these words:(.*?)\.$/ms.exec(text) ?? [];
  return [...list.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

/** Each use of one of `words` as `path:line: word`, over line ends too; code in backticks may have them. */
function found(path: string, text: string, words: readonly string[]): string[] {
  const prose = text.replaceAll(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  const pattern = new RegExp(`\\b(?:${words.join('|').replaceAll(' ', '\\s+')})\\b`, 'gi');
  return [...prose.matchAll(pattern)].map(({ 0: word, index }) => {
    const line = prose.slice(0, index).split('\n').length;
    return `${path}:${line}: ${word.replaceAll(/\s+/g, ' ')}`;
  });
}

describe('plain English', () => {
  const words = ruledOut(read('CONTRIBUTING.md'));

  it('has a list of words not to use', () => {
    expect(words).to.include.members(['whoever', 'nobody', 'for ever']);
    const text = 'Whoever asks,\n`nobody` knows for\never.';
    expect(found('x', text, words)).to.deep.equal(['x:1: Whoever', 'x:2: for ever']);
  });

  it('keeps these words out of documents and descriptions of the interface', () => {
    expect(documents.flatMap((path) => found(path, read(path), words))).to.deep.equal([]);
  });
});
