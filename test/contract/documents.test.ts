import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';

const documents = [
  ...readdirSync(repositoryRoot).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'src/domain/README.md',
].map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }));

describe('the documents', () => {
  it('link to files that exist', () => {
    const broken = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(repositoryRoot, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('name files of the project that exist', () => {
    const missing = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|tools|workers|schema|scripts|docs|test|bench)\/[\w./-]*\w)`/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(repositoryRoot, target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('name in the glossary code that exists', () => {
    const code = execFileSync('git', ['ls-files', 'src', 'workers', 'test', 'scripts'], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((path) => /\.(?:ts|mjs)$/.test(path))
      .map((path) => readFileSync(join(repositoryRoot, path), 'utf8'))
      .join('\n');

    const known = new Set(code.match(/[A-Za-z]\w*/g));
    const { text = '' } = documents.find(({ path }) => path === 'src/domain/README.md') ?? {};

    // A metric is written without its prefix where it is made.
    const names = [...text.matchAll(/`(?:signalpost_)?([A-Za-z]\w*)`/g)].map(
      ([, name = '']) => name,
    );
    expect(names).to.include.members(['pending_delivery', 'ClaimBuffer', 'dead_letters']);
    expect(names.filter((name) => !known.has(name))).to.deep.equal([]);
  });

  it('name commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const missing = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run (?:--silent )?([a-z]+(?:-[a-z]+)*)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !(name in scripts))
        .map((name) => `${path}: npm run ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('name to an operator every path that addresses of the service lead to', () => {
    const made = readdirSync(join(repositoryRoot, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(join(repositoryRoot, 'src', name), 'utf8').matchAll(
          /`\$\{(?:[\w.]*baseUrl|origin)\}(\/\w+)\//g,
        ),
      ])
      .map(([, path]) => path);

    const { text = '' } = documents.find(({ path }) => path === 'docs/running.md') ?? {};
    const [, named = ''] = /Only `PORT` is for the public: ([^.]+)\./.exec(text) ?? [];
    const paths = [...named.matchAll(/`([^`]+)`/g)].map(([, path]) => path);

    // Clients make the addresses of these two.
    expect(paths).to.have.members([...new Set(['/v1', '/stream', ...made])]);
  });

  it('number each decision once', () => {
    const numbers = documents
      .filter(({ path }) => path.startsWith('docs/decisions/'))
      .flatMap(({ text }) => text.match(/^## .*\(ADR [\d, ]+\)$/gm) ?? [])
      .flatMap((heading) => heading.match(/\d{4}/g) ?? []);

    expect(numbers).to.include.members(['0001', '0063']);
    expect(numbers.sort()).to.deep.equal([...new Set(numbers)]);
  });
});
