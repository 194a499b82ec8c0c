import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../support/repository.js';

describe('.ci/run', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'signalpost-ci-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs it where nothing but these programs is installed, as a user who cannot install any. */
  function run(...programs: readonly string[]) {
    const put = (name: string, line: string) => {
      writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
      chmodSync(join(folder, name), 0o755);
    };
    for (const name of programs) put(name, ':');
    put('id', 'echo 1000');
    put('npm', 'echo "ran npm $*"');
    put('dirname', `echo ${join(repositoryRoot, '.ci')}`);
    const bash = spawnSync('/bin/sh', ['-c', 'command -v bash'], {
      encoding: 'utf8',
    }).stdout.trim();
    return spawnSync(bash, [join(repositoryRoot, '.ci', 'run')], {
      env: { PATH: folder },
      encoding: 'utf8',
    });
  }

  it('runs the tests where there is a Redis server, even if everything else is missing', () => {
    for (const server of ['redis-server', 'valkey-server']) {
      const { status, stdout, stderr } = run(server);
      expect(status, stderr).to.equal(0);
      const [report, commits, tests, long, node24, again] = stdout.split('\n');
      expect(report).to.equal('ran npm run --silent dependency-report');
      expect(commits).to.equal('ran npm run --silent check-commits');
      expect(tests).to.equal('ran npm test');
      expect(long).to.equal('ran npm run --silent test:long');
      expect(node24).to.equal('ran npm exec --yes --package=node@24 -- node --version');
      expect(again).to.match(/^ran npm exec --yes --package=node@24 -- node scripts\/test\.mjs /);
      rmSync(join(folder, server));
    }
  });

  it('fails where there is none and none can be installed', () => {
    const { status, stdout, stderr } = run('pdftotext', 'chromium');
    expect(status).to.equal(1);
    expect(stdout).to.equal('');
    expect(stderr).to.include('redis-server');
  });
});
