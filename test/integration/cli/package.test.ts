import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { version } from '../../../cli/version.js';
import { testAuthority } from '../../support/authority.js';
import { startTunnelProxy } from '../../support/proxies.js';
import { repositoryRoot } from '../../support/repository.js';

const mebibyte = 1_048_576;

describe('the package of the command line', () => {
  let work: string;
  let installed: string;

  before(() => {
    work = mkdtempSync(join(tmpdir(), 'signalpost-cli-package-'));

    const staged = join(work, 'cli-package');
    const empty = join(work, 'empty');
    installed = join(empty, 'node_modules');
    mkdirSync(empty);

    const stage = join(repositoryRoot, 'scripts', 'stage-packages.mjs');
    execFileSync(process.execPath, [stage, work], { stdio: 'pipe' });

    const npm = (args: string[], cwd: string) =>
      execFileSync('npm', [...args, '--cache', join(work, 'cache'), '--loglevel=error'], {
        cwd,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: work },
      });

    const tarball = npm(['pack', staged, '--pack-destination', work], work).trim();
    npm(['install', '--offline', '--no-audit', '--no-fund', join(work, tarball)], empty);
  });

  after(() => rmSync(work, { recursive: true, force: true }));

  it('H175: installs from its tarball in an empty folder without a registry, and runs', () => {
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

  it('asks a service through the proxy of HTTPS_PROXY', async () => {
    const name = 'webhooks.signalpost.test';
    const service = createServer((_request, response) => response.end('{"data":[],"page":{}}'));
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');

    const { port } = service.address() as AddressInfo;
    const proxy = await startTunnelProxy(`http://127.0.0.1:${port}`, [name]);
    try {
      const { stderr } = await promisify(execFile)(
        join(installed, '.bin', 'signalpost'),
        ['event-types', 'list'],
        {
          env: {
            PATH: process.env['PATH'],
            HOME: work,
            HTTPS_PROXY: proxy.url,
            NODE_EXTRA_CA_CERTS: (await testAuthority()).caFile,
            SIGNALPOST_API_KEY: 'sk_live_0000000000000000',
            SIGNALPOST_URL: `https://${name}`,
          },
        },
      );

      expect(stderr).to.equal('None.\n');
      expect(proxy.tunnels.map(({ to }) => to)).to.deep.equal([`${name}:443`]);
    } finally {
      proxy.close();
      service.close().closeAllConnections();
    }
  });
});
