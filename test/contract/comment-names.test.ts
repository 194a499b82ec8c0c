import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

const sources = execFileSync('git', ['ls-files'], { cwd: repositoryRoot, encoding: 'utf8' })
  .split('\n')
  .filter((path) =>
    /^(?:cli|clients|src|workers|tools|test|bench|scripts)\/.*\.(?:ts|mjs)$/.test(path),
  )
  .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }));

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
/** What a comment links to, and the errors it says are thrown. */
const named = /\{@link ([\w$]+)|@throws ([A-Z]\w*(?:(?:, | or | and )[A-Z]\w*)*)/g;

/** The names that comments of `text` give to code, with their lines. */
function namesIn(text: string): { name: string; line: number }[] {
  return [...text.matchAll(comment)].flatMap(({ 0: words, index }) =>
    [...words.matchAll(named)].flatMap((match) =>
      (match[1] ?? match[2] ?? '').split(/, | or | and /).map((name) => ({
        name,
        line: text.slice(0, index + match.index).split('\n').length,
      })),
    ),
  );
}

describe('comments', () => {
  it('each {@link} and @throws of a comment names code that exists', () => {
    const code = sources.map(({ text }) => text.replaceAll(comment, ' ')).join('\n');
    const known = new Set(code.match(/[A-Za-z_$][\w$]*/g));
    const unknown = sources.flatMap(({ path, text }) =>
      namesIn(text)
        .filter(
          ({ name }) => !known.has(name) && !(name in globalThis) && name !== 'AssertionError',
        )
        .map(({ name, line }) => `${path}:${line}: ${name}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('the search finds the links and errors of a comment', () => {
    const text = 'const a = 1;\n/** See {@link Lost}.\n * @throws Gone, Missing when it is\n */';
    const names = namesIn(text).map(({ name, line }) => `${line}: ${name}`);
    expect(names).to.deep.equal(['2: Lost', '3: Gone', '3: Missing']);
  });
});
