import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { version } from '../../../cli/version.js';
import { repositoryRoot } from '../../support/repository.js';

const mebibyte = 1_048_576;

describe('the package of the command line', () => {
  let work: string;
  before(() => (work = mkdtempSync(join(tmpdir(), 'signalpost-cli-package-'))));
  after(() => rmSync(work, { recursive: true, force: true }));

  it('H175: installs from its tarball in an empty folder without a registry, and runs', () => {
    const staged = join(work, 'staged');
    const empty = join(work, 'empty');
    mkdirSync(empty);
    const stage = join(repositoryRoot, 'scripts', 'stage-cli.mjs');
    execFileSync(process.execPath, [stage, staged], { stdio: 'pipe' });
    const npm = (args: string[], cwd: string) =>
      execFileSync('npm', [...args, '--cache', join(work, 'cache'), '--loglevel=error'], {
        cwd,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: work },
      });
    const tarball = npm(['pack', staged, '--pack-destination', work], work).trim();
    npm(['install', '--offline', '--no-audit', '--no-fund', join(work, tarball)], empty);
    const installed = join(empty, 'node_modules');
    const signalpost = (...args: string[]) =>
      execFileSync(join(installed, '.bin', 'signalpost'), args, {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: work },
      });
    expect(signalpost('--version').trim()).to.equal(version);
    expect(signalpost('endpoints', '--help')).to.contain('rotate-secret');
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    const bytes = files.reduce((sum, name) => sum + statSync(join(installed, name)).size, 0);
    expect(bytes).to.be.below(3 * mebibyte);
    expect(files.filter((name) => /typeorm|koa|graphql/.test(name))).to.deep.equal([]);
  });
});
