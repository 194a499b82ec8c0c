import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { repositoryRoot } from '../../support/repository.js';

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
}

const lockFile = join(repositoryRoot, 'package-lock.json');
const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, LockEntry> };
/** What npm asks of a package that an advisory is about, and of those that need it. */
function packument(url: string): object {
  const name = decodeURIComponent(url.slice(1));
  const { version = '0.0.0' } = lock.packages[`node_modules/${name}`] ?? {};
  const versions = { [version]: { name, version, dist: {} } };
  return { name, versions, 'dist-tags': { latest: version } };
}
const closedPort = 'http://127.0.0.1:9';
/** npm runs scripts of these names, and of these with `pre` or `post`, at an installation. */
const atInstallation = /^(?:pre|post)?(?:dependencies|install|prepare|publish)$|^prepublishOnly$/;

describe('the dependencies of production', () => {
  let folder: string;
  let registry: Server;
  let advisories: object = {};

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signalpost-dependencies-'));
    registry = createServer((request, response) => {
      const { url = '' } = request;
      const asked = url.endsWith('/advisories/bulk') ? advisories : packument(url);
      response.setHeader('content-type', 'application/json');
      request.resume().on('end', () => response.end(JSON.stringify(asked)));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  });

  after(() => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ownRegistry = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

  async function run(script: string, args: readonly string[], url = closedPort) {
    const child = spawn(process.execPath, [join(repositoryRoot, 'scripts', script), ...args], {
      env: { PATH: process.env['PATH'], HOME: folder, npm_config_registry: url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, lines: stdout.trim().split('\n'), stderr };
  }

  const report = (url: string, ...args: string[]) => run('report-dependencies.mjs', args, url);

  it('every dependency has a licence that the policy knows, as reported without a registry', async () => {
    const { code, lines, stderr } = await report(closedPort);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(lines).to.have.lengthOf(2);
    expect(lines[0]).to.match(/^licences: .*Apache-2\.0 \d+.* MIT \d+/);
    expect(lines[1]).to.match(/^npm audit: the registry did not respond: /);
  });

  it('refuses a licence that the policy does not know', async () => {
    const changed = structuredClone(lock);
    Object.assign(changed.packages['node_modules/koa'] ?? {}, { license: 'GPL-3.0-only' });
    Object.assign(changed.packages['node_modules/pino'] ?? {}, { license: '(MIT OR SSPL-1.0)' });
    const file = join(folder, 'package-lock.json');
    writeFileSync(file, JSON.stringify(changed));
    const { code, lines } = await report(closedPort, file);
    expect(code).to.equal(1);
    const unknown = lines.filter((line) => line.includes('does not know'));
    expect(unknown).to.deep.equal([
      `licences: koa ${lock.packages['node_modules/koa']?.version ?? ''} has "GPL-3.0-only", which the policy does not know: replace it or review it here`,
    ]);
  });

  it('reports the advisories of dependencies, and ends with 0 all the same', async () => {
    advisories = {};
    const none = await report(ownRegistry());
    expect([none.code, none.lines.at(-1)]).to.deep.equal([
      0,
      'npm audit: no advisories about production dependencies',
    ]);
    const url = 'https://example.com/GHSA-1';
    const range = { vulnerable_versions: '<999.0.0', cwe: [], cvss: { score: 0 } };
    advisories = { koa: [{ id: 1, url, title: 'A made-up one', severity: 'critical', ...range }] };
    const one = await report(ownRegistry());
    expect(one.code).to.equal(0);
    expect(one.lines).to.include.members([`npm audit: critical: koa *: A made-up one (${url})`]);
  });

  it('lists all dependencies in the SBOM, which the build makes without a registry', async () => {
    const file = join(folder, 'sbom.json');
    const { code, stderr } = await run('sbom.mjs', [file]);
    expect([code, stderr]).to.deep.equal([0, '']);

    const written = readFileSync(file, 'utf8');
    const sbom = JSON.parse(written) as {
      bomFormat: string;
      metadata: { component: { name: string; type: string } };
      components: { name: string; version: string }[];
    };

    expect(sbom.bomFormat).to.equal('CycloneDX');
    expect(sbom.metadata.component).to.include({ name: 'signalpost', type: 'application' });

    const { dependencies } = JSON.parse(
      readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
    ) as { dependencies: Record<string, string> };
    const listed = sbom.components.map(({ name, version }) => `${name} ${version}`);
    expect(listed).to.include.members(
      Object.entries(dependencies).map(([name, version]) => `${name} ${version}`),
    );

    const locked = new Set(
      Object.entries(lock.packages)
        .filter(([path, { dev }]) => path !== '' && !dev)
        .map(([path, { version }]) => `${path.split('node_modules/').at(-1) ?? ''} ${version}`),
    );

    expect(listed.filter((component) => !locked.has(component))).to.deep.equal([]);
    await run('sbom.mjs', [file]);
    expect(readFileSync(file, 'utf8')).to.equal(written);
    expect(scripts()['build']).to.match(/node scripts\/sbom\.mjs$/);
  });

  it('npm runs no script of ours at an installation, so that it needs no registry', () => {
    expect(Object.values(scripts())).to.include('node scripts/report-dependencies.mjs');
    expect(Object.keys(scripts()).filter((name) => atInstallation.test(name))).to.deep.equal([]);
  });

  function scripts(): Record<string, string> {
    const text = readFileSync(join(repositoryRoot, 'package.json'), 'utf8');
    return (JSON.parse(text) as { scripts: Record<string, string> }).scripts;
  }
});
