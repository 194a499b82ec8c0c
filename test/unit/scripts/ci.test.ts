import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../support/repository.js';
import { pathToFileURL } from 'node:url';

describe('.ci/run', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'signalpost-ci-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs .ci/run with only these programs installed, as a user who cannot install any. */
  function run(...programs: readonly string[]) {
    const put = (name: string, line: string) => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
      chmodSync(join(folder, name), 0o755);
    };

    for (const name of programs) put(name, ':');
    put('id', 'echo 1000');
    put('npm', 'echo "ran npm $*"');
    put('dirname', `echo ${join(repositoryRoot, '.ci')}`);
    for (const name of ['tail', 'rm']) put(name, `exec ${pathOf(name)} "$@"`);

    return spawnSync(pathOf('bash'), [join(repositoryRoot, '.ci', 'run')], {
      env: { PATH: folder },
      encoding: 'utf8',
    });
  }

  function pathOf(program: string): string {
    const { stdout } = spawnSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
    return stdout.trim();
  }

  it('runs the tests where there is a Redis server, even if everything else is missing', () => {
    for (const server of ['redis-server', 'valkey-server']) {
      const { status, stdout, stderr } = run(server);
      expect(status, stderr).to.equal(0);

      const [report, commits, tests, node24, long, title, again] = stdout.split('\n');
      expect(report).to.equal('ran npm run --silent dependency-report');
      expect(commits).to.equal('ran npm run --silent check-commits');
      expect(tests).to.equal('ran npm test');
      expect(node24).to.equal('ran npm exec --yes --package=node@24 -- node --version');
      expect(long).to.equal('ran npm run --silent test:long');
      expect(title).to.equal('== Node 24');
      expect(again).to.match(/^ran npm exec --yes --package=node@24 -- node scripts\/test\.mjs /);
      rmSync(join(folder, server));
    }
  });

  it('fails where there is no Redis server and none can be installed', () => {
    const { status, stdout, stderr } = run('pdftotext', 'chromium');
    expect(status).to.equal(1);
    expect(stdout).to.equal('');
    expect(stderr).to.include('redis-server');
  });
});

describe('the subject of a commit', () => {
  let subjectIssue: (subject: string) => string | undefined;
  before(async () => {
    const file = pathToFileURL(join(repositoryRoot, 'scripts', 'check-commits.mjs'));
    ({ subjectIssue } = (await import(file.href)) as { subjectIssue: typeof subjectIssue });
  });

  it('accepts a kind, perhaps a folder, and an imperative', () => {
    for (const subject of [
      'fix(outbound): refuse white space that is not SP or HTAB',
      'docs: write operations, receiving and architecture in plain English',
      'test(workers): need one claim a second',
      'docs(adr): 0022 require large packages',
      'Revert "fix(mail): name the host"',
    ]) {
      expect(subjectIssue(subject), subject).to.equal(undefined);
    }
  });

  it('refuses a subject that is too long, has no kind, or is not imperative', () => {
    const issues = {
      [`fix(mail): ${'x'.repeat(62)}`]: /73 characters/,
      'wip simulation': /kind\(folder\)/,
      'fix(mail): Name the host': /kind\(folder\)/,
      'fix(mail): names the host': /not "names"/,
      'fix(mail): named the host': /not "named"/,
      'fix(mail): naming the host': /not "naming"/,
      'fix(mail): the host is named': /not "the"/,
    };
    for (const [subject, issue] of Object.entries(issues)) {
      expect(subjectIssue(subject), subject).to.match(issue);
    }
  });
});
