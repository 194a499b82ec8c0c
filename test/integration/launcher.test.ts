import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  readFileSync,
  statSync,
  writeFileSync,
  cpSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { externalFolderOf } from '../../tools/launcher/data-dir.js';
import { findPostmaster } from '../../tools/launcher/postgres-server.js';
import { identityOf } from '../../tools/launcher/process-identity.js';
import { runAs } from '../../tools/launcher/child-process.js';
import { withDatabase } from '../../tools/launcher/with-database.js';
import { DashboardClient } from '../support/dashboard.js';
import { eventually } from '../support/eventually.js';
import { shapeOf, shownInReadme } from '../support/documents.js';
import {
  createTestHome,
  pidOn,
  startLauncher,
  type TestHome,
  type TestLauncher,
  userOf,
} from '../support/launcher.js';
import { tmpdir } from 'node:os';
import { acquirePostgres } from '../../tools/launcher/embedded-postgres.js';

const isRoot = process.getuid?.() === 0;
const ready = 'Signalpost is ready.';

describe('npm start', () => {
  let home: TestHome;
  let running: TestLauncher;

  before(async () => {
    home = await createTestHome();
    running = startLauncher(home);
    await running.says(ready);
  });

  after(() => home.remove());

  const start = async () => {
    running = startLauncher(home);
    await running.says(ready);
  };

  const stop = async () => {
    running.signalGroup('SIGINT');
    return running.ended;
  };

  const postmaster = () => {
    const server = findPostmaster(home.cluster());
    if (!server) throw new Error('PostgreSQL does not run');
    return server;
  };

  const query = async (text: string) => {
    const url = readFileSync(join(home.dataDir, 'database-url'), 'utf8').trim();
    const client = new pg.Client({ connectionString: url, application_name: 'test' });
    await client.connect();
    try {
      return (await client.query<{ n: number }>(text)).rows;
    } finally {
      await client.end();
    }
  };

  it('starts PostgreSQL, never as root, and both processes', async () => {
    expect(await pidOn(home.apiPort)).not.to.equal(await pidOn(home.workerPort));
    if (process.platform === 'linux') expect(userOf(postmaster().pid)).not.to.equal(0);
    await query('create table kept (n int); insert into kept values (7)');
  });

  it('creates an account with a key at the first start, names it, and shows the key once', async () => {
    const shown = /Bearer (\w+)'/.exec(running.output())?.[1] ?? '';
    const account = /^ {2}account {3}(acc_\w+)$/m.exec(running.output())?.[1] ?? '';
    const hash = createHash('sha256').update(shown).digest('hex');
    expect(
      await query(
        `select (select count(*)::int from account) as n
         from credential where token_sha256 = decode('${hash}', 'hex') and account_id = '${account}'`,
      ),
    ).to.eql([{ n: 1 }]);
  });

  it('prints a link at the first start, which signs the owner in', async () => {
    const [, address = '', token] =
      /(http:\S+)\/dashboard\/sign-in#(\w+)/.exec(running.output()) ?? [];
    const opened = await new DashboardClient(address).send('POST', '/session', { token });
    expect(opened.status, opened.text).to.equal(200);
  });

  it('prints what README.md shows when it is ready', () => {
    const output = running.output();
    expect(shapeOf(output.slice(output.indexOf(ready)))).to.equal(
      shapeOf(shownInReadme('npm start')),
    );
  });

  it('keeps PostgreSQL outside of a folder that only root can enter, and says so', function () {
    if (!isRoot) {
      this.test!.title += ' (pending: only root has another user to run PostgreSQL as)';
      return this.skip();
    }
    const outside = externalFolderOf(home.dataDir);
    expect(home.cluster()).to.equal(join(outside, 'postgres'));
    expect(running.output()).to.include(outside);
  });

  it('makes its secrets readable for their owner only', () => {
    for (const name of ['database-url', 'secret-key', 'receiver-ca-key.pem', 'postgres.log']) {
      expect(statSync(join(home.dataDir, name)).mode & 0o777, name).to.equal(0o600);
    }
  });

  it('says why PostgreSQL cannot start before it starts anything else, and exits', async () => {
    const lost = await createTestHome();
    try {
      writeFileSync(join(lost.dataDir, 'database-url'), 'postgresql://a:b@127.0.0.1:1/postgres');
      const launcher = startLauncher(lost);
      expect(await launcher.ended).to.deep.equal({ code: 1, signal: null });
      expect(launcher.output()).to.include('belongs to a database that is not in');
      expect(launcher.output()).not.to.match(/^ +at .*:\d+:\d+|Node\.js v/m);
    } finally {
      await lost.remove();
    }
  });

  it('refuses a second start on the same DATA_DIR', async () => {
    const second = startLauncher(home);
    expect((await second.ended).code).to.equal(1);
    expect(second.output()).to.include(`already runs on ${home.dataDir} (process ${running.pid})`);
    expect(await pidOn(home.apiPort)).to.be.greaterThan(0);
  });

  for (const [name, portOf, otherOf] of [
    ['API', () => home.apiPort, () => home.workerPort],
    ['worker', () => home.workerPort, () => home.apiPort],
  ] as const) {
    it(`restarts the ${name} after kill -9, and nothing else`, async () => {
      const killed = await pidOn(portOf());
      const other = await pidOn(otherOf());
      process.kill(killed, 'SIGKILL');
      await eventually(async () => {
        expect(await pidOn(portOf())).not.to.equal(killed);
      }, 'another process answers');
      expect(await pidOn(otherOf())).to.equal(other);
    });
  }

  it('restarts PostgreSQL after kill -9, and the processes go on', async () => {
    const api = await pidOn(home.apiPort);
    const worker = await pidOn(home.workerPort);
    process.kill(postmaster().pid, 'SIGKILL');
    await running.says('PostgreSQL is running again.');
    await eventually(async () => expect(await pidOn(home.apiPort)).to.equal(api), 'API is back');
    expect(await pidOn(home.workerPort)).to.equal(worker);
  });

  it('keeps PostgreSQL running when a command ends', async () => {
    const { pid } = postmaster();
    const port = await withDatabase(
      ({ databaseUrl }) => Promise.resolve(new URL(databaseUrl).port),
      home.environment,
    );
    expect(Number(port)).to.equal(postmaster().port);
    expect(postmaster().pid).to.equal(pid);
  });

  it('leaves no process on the ports when it is killed, and adopts PostgreSQL next time', async () => {
    const { pid } = postmaster();
    const left = [await pidOn(home.apiPort), await pidOn(home.workerPort)];
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
    await start();
    expect(running.output()).not.to.include('ended with exit code');
    expect(left.map(identityOf)).to.eql([undefined, undefined]);
    expect(running.output()).to.include('PostgreSQL was already running');
    expect(running.output()).to.include('npm run admin -- credentials create');
    expect(postmaster().pid).to.equal(pid);
  });

  it('stops everything on Ctrl-C, PostgreSQL last', async () => {
    const left = [running.pid, await pidOn(home.apiPort), await pidOn(home.workerPort)];
    expect(await stop()).to.eql({ code: 0, signal: null });
    for (const name of ['api', 'worker']) {
      expect(running.output()).to.include(`${name} drained while the database was up`);
    }
    expect(left.map(identityOf)).to.eql([undefined, undefined, undefined]);
    expect(findPostmaster(home.cluster())).to.equal(undefined);
  });

  it('a command starts PostgreSQL for itself while npm start is stopped', async () => {
    const rows = await withDatabase(() => {
      expect(postmaster().pid).to.be.greaterThan(0);
      return query('select n from kept');
    }, home.environment);
    expect(rows).to.eql([{ n: 7 }]);
    expect(findPostmaster(home.cluster())).to.equal(undefined);
  });

  it('takes over the lock and PostgreSQL’s pid file of dead processes', async () => {
    // Numbers that live, but belong to another program by now; PostgreSQL looks at its user's only.
    const { uid, gid } = statSync(home.cluster());
    const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    try {
      const other = { pid: stranger.pid, identity: 'another start' };
      writeFileSync(join(home.dataDir, 'launcher.lock'), JSON.stringify(other));
      const lines = [stranger.pid, home.cluster(), 0, 1, '', '127.0.0.1', '', 'ready', ''];
      writeFileSync(join(home.cluster(), 'postmaster.pid'), lines.join('\n'));
      await start();
      expect(await query('select n from kept')).to.eql([{ n: 7 }]);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('leaves PostgreSQL running for a command that still works', async () => {
    await withDatabase(async () => {
      expect((await stop()).code).to.equal(0);
      expect(await query('select n from kept')).to.eql([{ n: 7 }]);
    }, home.environment);
    expect(findPostmaster(home.cluster())).to.equal(undefined);
  });
});

describe('npm start of a normal user', () => {
  it('keeps everything in DATA_DIR', async function () {
    if (!isRoot) {
      this.test!.title += ' (pending: only root has another user to run PostgreSQL as)';
      return this.skip();
    }

    const user = await unprivilegedUser();
    const program = fileURLToPath(new URL('../support/launch-fakes.js', import.meta.url));
    if (!user || !(await runAs(user, process.execPath, ['--check', program])).ok) {
      this.test!.title += ' (pending: no other user can read this folder)';
      return this.skip();
    }

    const home = await createTestHome();
    chownSync(home.dataDir, user.uid, user.gid);

    const running = startLauncher(home, user);
    try {
      await running.says(ready);
      expect(home.cluster()).to.equal(join(home.dataDir, 'postgres'));
      expect(userOf(findPostmaster(home.cluster())?.pid ?? 0)).to.equal(user.uid);
      running.signalGroup('SIGTERM');
      expect((await running.ended).code).to.equal(0);
    } finally {
      await home.remove();
    }
  });
});

async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
  const uid = await runAs(undefined, 'id', ['-u', 'nobody']);
  const gid = await runAs(undefined, 'id', ['-g', 'nobody']);
  return uid.ok && gid.ok ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}

describe('the embedded database', () => {
  let folder: string;
  let home: string;
  let cluster = '';
  const outside: string[] = [];

  /** Runs a statement in the database of `dataDir`, started and stopped for it. */
  async function query(dataDir: string, text: string): Promise<unknown[]> {
    const presence = await acquirePostgres(dataDir, 'test');
    try {
      const client = new pg.Client({ connectionString: presence.databaseUrl });
      await client.connect();

      try {
        const { rows } = await client.query<{ data_directory: string }>('show data_directory');
        cluster = rows[0]?.data_directory ?? '';
        return (await client.query<object>(text)).rows;
      } finally {
        await client.end();
      }
    } finally {
      await presence.leave();
    }
  }

  const refusal = (dataDir: string): Promise<string> =>
    query(dataDir, 'select 1').then(
      () => 'it was started',
      (error: unknown) => (error as Error).message,
    );

  before(async () => {
    // Only its owner can enter: as root the database has to go outside.
    folder = mkdtempSync(join(tmpdir(), 'signalpost-moved-'));
    home = join(folder, 'data');
    await query(home, 'create table kept (n int); insert into kept values (7)');
    if (isRoot) outside.push(externalFolderOf(home));
  });

  after(() => {
    for (const path of [folder, ...outside]) rmSync(path, { recursive: true, force: true });
  });

  it('the database stays with its DATA_DIR when that is renamed', async () => {
    const moved = join(folder, 'renamed');
    renameSync(home, moved);
    expect(await query(moved, 'select n from kept')).to.deep.equal([{ n: 7 }]);
    renameSync(moved, home);
    expect(await query(home, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });

  it('no empty database replaces a lost one, and its URL and password stay', async () => {
    await query(home, 'select 1');
    const address = readFileSync(join(home, 'database-url'), 'utf8');
    renameSync(cluster, `${cluster}-lost`);
    try {
      const message = await refusal(home);
      expect(message).to.include(join(home, 'database-url')).and.include(cluster);
      expect(readFileSync(join(home, 'database-url'), 'utf8')).to.equal(address);
    } finally {
      renameSync(`${cluster}-lost`, cluster);
    }
    expect(await query(home, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });

  it('a copy of DATA_DIR does not share the database', async () => {
    const copy = join(folder, 'copy');
    cpSync(home, copy, { recursive: true });
    if (isRoot)
      expect(await refusal(copy))
        .to.include(home)
        .and.include(cluster);
    else expect(await query(copy, 'delete from kept returning n')).to.have.length(1);
    expect(await query(home, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });

  it('another DATA_DIR that gets its former name does not touch the database', async function () {
    const moved = join(folder, 'moved');
    renameSync(home, moved);
    await query(home, 'create table other (n int)');
    if (isRoot) outside.push(dirname(cluster));
    expect(await query(moved, 'select n from kept')).to.deep.equal([{ n: 7 }]);
  });
});
