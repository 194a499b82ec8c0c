import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { fetch } from 'undici';
import { freePort } from '../../tools/launcher/ports.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { createTestHome, type TestHome } from '../support/launcher.js';
import { repositoryRoot } from '../support/repository.js';

/** A stop of an idle process takes less than a second; this is what supervisors usually allow. */
const stopLimitMs = 25_000;

describe('a process that npm runs', () => {
  let database: TestDatabase;
  let home: TestHome;
  const groups: number[] = [];

  before(async () => {
    [database, home] = await Promise.all([createTestDatabase(), createTestHome()]);
  });

  after(async () => {
    for (const group of groups) {
      try {
        process.kill(-group, 'SIGKILL');
      } catch {
        // It has ended, as it should.
      }
    }
    await Promise.all([database.drop(), home.remove()]);
  });

  /** Its pipes close when the last process that writes to them has ended. */
  async function started(script: string, port: number, environment: Record<string, string>) {
    const npm: ChildProcess = spawn('npm', script === 'start' ? ['start'] : ['run', script], {
      cwd: repositoryRoot,
      env: { PATH: process.env['PATH'], HOME: home.dataDir, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });

    const { pid = 0 } = npm;
    groups.push(pid);

    let output = '';

    for (const stream of [npm.stdout, npm.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }

    const closed = once(npm, 'close') as Promise<[number | null, string | null]>;
    let over = false;
    void closed.then(() => (over = true));

    await eventually(async () => {
      const { status } = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => {
        throw new Error(output);
      });
      expect(status).to.equal(200);
    }, `${script} is ready`);

    return {
      pid,
      /** How npm ended, once everything that it ran has. */
      async ended() {
        await eventually(
          () => expect(over, output).to.equal(true),
          'every process that npm ran has ended',
          stopLimitMs,
        );
        const [code, signal] = await closed;
        return { how: code ?? signal, output };
      },
    };
  }

  const service = async () => {
    const port = await freePort();
    const environment = {
      DATABASE_URL: database.url,
      SECRET_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      BASE_URL: 'http://127.0.0.1',
      PORT: '0',
      INTERNAL_PORT: String(port),
      WORKER_PORT: String(port),
    };
    return { port, environment };
  };

  for (const script of ['api', 'worker']) {
    for (const [whom, sign] of [
      ['npm alone', 1],
      ['the whole group', -1],
    ] as const) {
      it(`${script} stops in order when SIGTERM goes to ${whom}`, async () => {
        const { port, environment } = await service();
        const one = await started(script, port, environment);
        process.kill(sign * one.pid, 'SIGTERM');
        const { how, output } = await one.ended();
        expect(output).to.include('"msg":"stopped"');
        expect(how, output).to.equal(0);
      });
    }

    it(`${script} stops in order when npm is killed`, async () => {
      const { port, environment } = await service();
      const one = await started(script, port, environment);
      process.kill(one.pid, 'SIGKILL');
      expect((await one.ended()).output).to.include('"msg":"stopped"');
    });
  }

  for (const [whom, sign, signal] of [
    ['npm alone', 1, 'SIGTERM'],
    ['the whole group', -1, 'SIGINT'],
  ] as const) {
    it(`npm start stops everything in order when ${signal} goes to ${whom}`, async () => {
      const port = await freePort();
      const environment = { ...home.environment, INTERNAL_PORT: String(port) };
      const one = await started('start', port, environment);
      process.kill(sign * one.pid, signal);
      const { how, output } = await one.ended();
      expect(output).to.include('Signalpost has stopped. Your data is kept.');
      expect(output).not.to.include('killed');
      expect(how, output).to.equal(0);
    });
  }
});
