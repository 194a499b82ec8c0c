import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../../tools/launcher/ports.js';
import { cluster } from '../support/cluster.js';
import { type Ended, runProgram } from '../support/process.js';

const key = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const stack = /^\s+at |\.js:\d+|node:internal/m;

describe('a program that cannot start', () => {
  let dataDir: string;

  before(() => (dataDir = mkdtempSync(join(tmpdir(), 'signalpost-faulty-'))));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  const processes = ['src/main.js', 'workers/main.js'] as const;
  const commands: readonly (readonly [string, ...string[]])[] = [
    ['tools/migrate/main.js'],
    ['tools/admin/main.js', 'accounts', 'create', '--name', 'x'],
  ];

  const expectPlain = ({ code, stdout, stderr }: Ended, ...parts: readonly (string | RegExp)[]) => {
    expect(code, stderr).to.equal(1);
    for (const part of parts) {
      if (typeof part === 'string') expect(stdout + stderr).to.include(part);
      else expect(stdout + stderr).to.match(part);
    }
    expect(stdout + stderr).not.to.match(stack);
  };

  for (const [entry, ...args] of [
    ...commands,
    ['tools/admin/main.js', 'accounts', 'list'],
  ] as const) {
    it(`${[entry, ...args].join(' ')} names a folder that holds no database, and creates none`, async () => {
      for (const folder of [dataDir, join(dataDir, 'forgotten')]) {
        const ended = await runProgram(entry, args, { DATA_DIR: folder });
        expectPlain(ended, `${folder} holds no database`, 'npm start');
        expect(ended.stdout).to.equal('');
      }
      expect(readdirSync(dataDir)).to.deep.equal([]);
    });
  }

  for (const entry of processes) {
    it(`${entry} names every fault of its settings at once`, async () => {
      const environment = {
        PORT: 'eighty',
        WORKER_CONCURRENCY: '5',
        WORKER_ENDPOINT_CONCURRENCY: '6',
      };

      const ended = await runProgram(entry, [], environment);
      expectPlain(
        ended,
        'DATABASE_URL: ',
        'SECRET_KEY: ',
        'PORT: ',
        'WORKER_ENDPOINT_CONCURRENCY: ',
      );

      expect(ended.stdout).to.equal('');
    });
  }

  for (const [entry, ...args] of commands) {
    it(`${entry} names every fault of its settings at once`, async () => {
      const environment = { DATA_DIR: dataDir, PORT: 'eighty', WEBHOOKS_TIMEOUT: '2m' };
      expectPlain(await runProgram(entry, args, environment), 'PORT: ', 'WEBHOOKS_TIMEOUT: ');
    });
  }

  it('a command that needs the keys reports them together with all other faults', async () => {
    const environment = { DATABASE_URL: 'postgres://localhost/x', PORT: 'eighty' };
    const [, [entry, ...args]] = commands as [unknown, [string, ...string[]]];
    expectPlain(await runProgram(entry, args, environment), 'PORT: ', 'SECRET_KEY: ');
  });

  for (const [entry, ...args] of [...processes.map((program) => [program] as const), ...commands]) {
    it(`${entry} says that PostgreSQL is not responding, and which address refused`, async () => {
      const port = await freePort();
      const environment = {
        DATABASE_URL: `postgres://somebody:hidden@127.0.0.1:${port}/x`,
        DATABASE_WAIT: '1s',
        SECRET_KEY: key,
        PORT: '0',
        INTERNAL_PORT: '0',
        WORKER_PORT: '0',
      };
      const ended = await runProgram(entry, args, environment);
      expectPlain(ended, 'PostgreSQL is not responding', `127.0.0.1:${port}`);
      expect(ended.stdout + ended.stderr).not.to.include('hidden');
    });

    it(`${entry} says that PostgreSQL refuses the password`, async () => {
      const url = new URL((await cluster()).url('postgres'));
      url.password = 'hidden';
      const environment = {
        DATABASE_URL: url.href,
        SECRET_KEY: key,
        PORT: '0',
        INTERNAL_PORT: '0',
        WORKER_PORT: '0',
      };
      const ended = await runProgram(entry, args, environment);
      expectPlain(ended, 'password authentication failed', 'DATABASE_URL');
      expect(ended.stdout + ended.stderr).not.to.include('hidden');
    });

    if (entry === 'tools/migrate/main.js') continue;

    it(`${entry} says that migrations are missing`, async () => {
      const environment = {
        DATABASE_URL: (await cluster()).url('postgres'),
        SECRET_KEY: key,
        PORT: '0',
        INTERNAL_PORT: '0',
        WORKER_PORT: '0',
      };
      const ended = await runProgram(entry, args, environment);
      expectPlain(ended, 'no schema yet', 'signalpost-server migrate', 'npm run migrate');
    });
  }
});
