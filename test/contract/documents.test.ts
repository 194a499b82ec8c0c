import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../support/repository.js';
import { settings } from '../../src/config/settings.js';
import { createMetrics } from '../../src/http/server/metrics.js';
import { WorkerMetrics } from '../../workers/metrics.js';

const documents = [
  ...readdirSync(repositoryRoot).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'src/domain/README.md',
].map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), 'utf8') }));

describe('the documents', () => {
  it('links of the documents lead to files that exist', () => {
    const broken = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(repositoryRoot, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it('the documents name only files that exist', () => {
    const missing = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:src|tools|workers|schema|scripts|docs|test|bench)\/[\w./-]*\w)`/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(repositoryRoot, target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('the glossary names only code that exists', () => {
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

  it('the documents name only commands that exist', () => {
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

  it('the documents for operators name every path that addresses of the service lead to', () => {
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

  it('each decision has its own number', () => {
    const numbers = documents
      .filter(({ path }) => path.startsWith('docs/decisions/'))
      .flatMap(({ text }) => text.match(/^## .*\(ADR [\d, ]+\)$/gm) ?? [])
      .flatMap((heading) => heading.match(/\d{4}/g) ?? []);

    expect(numbers).to.include.members(['0001', '0063']);
    expect(numbers.sort()).to.deep.equal([...new Set(numbers)]);
  });
});

/** The rows that the page must have, one per environment variable, in the order of the code. */
function expectedRows(): string[] {
  return Object.entries(settings).map(([name, { fallback, description, ...rest }]) =>
    [
      `\`${name}\``,
      fallback === undefined ? '' : `\`${fallback}\``,
      description,
      'secret' in rest ? 'yes' : '',
    ].join(' | '),
  );
}

/** The rows that a page has. */
function rowsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\<', '<'))
        .join(' | '),
    );
}

describe('the settings in docs/settings.md', () => {
  const text = readFileSync(join(repositoryRoot, 'docs', 'settings.md'), 'utf8');

  it('docs/settings.md has the settings of the code, with their defaults and descriptions', () => {
    expect(rowsOf(text)).to.deep.equal(expectedRows());
  });

  it('the comparison sees a row, a default and a description that differ', () => {
    const line = text.split('\n').find((row) => row.startsWith('| `PORT`')) ?? '';
    expect(line).to.include('8080');
    const changes = [
      `${line}\n${line}`,
      line.replace('8080', '8090'),
      line.replace('Port', 'Door'),
    ];
    for (const change of changes) {
      expect(rowsOf(text.replace(line, change))).not.to.deep.equal(expectedRows());
    }
  });
});

/** The metrics that the table below a line of the document names. */
function documented(heading: string): string[] {
  const text = readFileSync(join(repositoryRoot, 'docs', 'running.md'), 'utf8');
  const [table = ''] = text.split(`\n${heading}\n\n`)[1]?.split('\n\n') ?? [];
  return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
}

/** The metrics of ours in Prometheus' text format. */
function named(text: string): string[] {
  return [...text.matchAll(/^# TYPE (signalpost_\w+) /gm)].map(([, name = '']) => name);
}

describe('docs/running.md', () => {
  it('docs/running.md names every metric of a worker, and no other', async () => {
    expect(documented('Of a worker:')).to.have.members(named(await new WorkerMetrics().text()));
  });

  it('docs/running.md names every metric of the API, and no other', async () => {
    const metrics = createMetrics();
    expect(documented('Of the API:')).to.have.members(named(await metrics.print()));
  });
});
