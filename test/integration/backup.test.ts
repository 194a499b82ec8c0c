import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { chooseProgram } from '../../tools/admin/backup.js';
import { acquirePostgres, type PostgresHandle } from '../../tools/launcher/embedded-postgres.js';
import { withDatabase } from '../../tools/launcher/with-database.js';
import { admin } from '../support/admin.js';
import { createTestHome, type TestHome } from '../support/launcher.js';
import { repositoryRoot } from '../support/repository.js';

describe('npm run admin -- backup', () => {
  let home: TestHome;
  let postgres: PostgresHandle;
  let file: string;

  before(async () => {
    home = await createTestHome();
    postgres = await acquirePostgres(home.dataDir, 'test');
    await withDatabase(() => Promise.resolve(), home.environment);
    file = join(home.dataDir, 'signalpost.dump');
  });

  after(async () => {
    await postgres.leave();
    await home.remove();
  });

  afterEach(() => rmSync(file, { force: true }));

  /** A program that says it is the `pg_dump` of that version, and then runs `script`. */
  const program = (major: number, script: string) => {
    const path = join(home.dataDir, `pg_dump-${major}`);
    const version = `[ "$1" = --version ] && echo 'pg_dump (PostgreSQL) ${major}.2' && exit 0`;
    writeFileSync(path, `#!/bin/sh\n${version}\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  };

  const backUp = (...args: string[]) =>
    admin(home.environment, 'backup', '--output', file, ...args);
  const parts = () => readdirSync(home.dataDir).filter((name) => name.endsWith('.part'));

  it('uses the pg_dump of the server’s version, otherwise a newer one', () => {
    const programs = [15, 19, 18, 17].map((major) => ({ major, path: `/${major}` }));
    expect(chooseProgram(programs, 18)?.major).to.equal(18);
    expect(chooseProgram(programs, 16)?.major).to.equal(17);
    expect(chooseProgram(programs, 20)).to.equal(undefined);
  });

  it('says which pg_dump is needed when none fits, and writes no file', async () => {
    for (const path of [program(13, 'exit 0'), join(home.dataDir, 'none')]) {
      const { code, stdout, stderr } = await backUp('--pg-dump', path);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(/^PostgreSQL (\d+) needs pg_dump \1 or newer; found (13|none)/);
      expect(stderr).to.contain(path).and.to.contain('postgresql-client-');
      expect([existsSync(file), parts()]).to.deep.equal([false, []]);
    }
  });

  it('leaves no file when pg_dump fails, and says why', async () => {
    const failing = program(99, `echo 'pg_dump: error: no space left' >&2; exit 1`);
    const { code, stderr } = await backUp('--pg-dump', failing);
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      'pg_dump failed: pg_dump: error: no space left\nNo file was written.\n',
    );
    expect([existsSync(file), parts()]).to.deep.equal([false, []]);
  });

  it('writes a file for its owner only, shows the password to no other user, and overwrites nothing', async () => {
    const dumping = program(
      99,
      `for arg; do case "$arg" in --file=*) out="\${arg#--file=}";; esac; done
printf '%s\\n' "$@" "PGPASSWORD=$PGPASSWORD" > "$out"`,
    );

    const { code, stdout, stderr } = await backUp('--pg-dump', dumping);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.contain(file).and.to.contain('secret-key');
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(parts()).to.deep.equal([]);

    const { password } = new URL(postgres.databaseUrl);
    const [args = '', environment] = readFileSync(file, 'utf8').trimEnd().split('\nPGPASSWORD=');
    expect(environment).to.equal(password);
    expect(args).to.contain('--format=custom').and.to.contain('--dbname=postgres://signalpost@');
    expect(args).not.to.contain(password);

    // A password with a bare percent sign, as the service reads it.
    const client = new pg.Client({ connectionString: postgres.databaseUrl });
    await client.connect();
    await client.query(`create role percent superuser login password 'a%b%zz'`);
    await client.end();

    const DATABASE_URL = postgres.databaseUrl.replace(/\/\/[^@]+@/, '//percent:a%b%zz@');
    const odd = join(home.dataDir, 'odd.dump');
    const command = ['backup', '--output', odd, '--pg-dump', dumping];
    const other = await admin({ ...home.environment, DATABASE_URL }, ...command);
    expect([other.code, other.stderr]).to.deep.equal([0, '']);
    expect(readFileSync(odd, 'utf8').trimEnd().split('\nPGPASSWORD=')[1]).to.equal('a%b%zz');

    const before = readFileSync(file, 'utf8');
    const again = await backUp('--pg-dump', dumping);
    expect([again.code, again.stderr]).to.deep.equal([
      1,
      `${file} already exists: choose a new file.\n`,
    ]);
    expect(readFileSync(file, 'utf8')).to.equal(before);
  });
});

describe('the commands of docs/operations.md and docs/running.md, on the embedded PostgreSQL', () => {
  let home: TestHome;
  let postgres: PostgresHandle;
  const read = (name: string) => readFileSync(join(repositoryRoot, 'docs', name), 'utf8');
  const text = read('operations.md') + read('running.md');

  before(async () => {
    home = await createTestHome();
    postgres = await acquirePostgres(home.dataDir, 'test');
    await withDatabase(() => Promise.resolve(), home.environment);
  });

  after(async () => {
    await postgres.leave();
    await home.remove();
  });

  const shell = (command: string) =>
    spawnSync('sh', ['-c', command], { env: home.environment, encoding: 'utf8' });

  it('the commands reach the database as they are pasted, and name tables that exist', function () {
    if (shell('psql --version').status !== 0) {
      this.test!.title += ' (pending: there is no psql here)';
      this.skip();
    }

    const commands = [...text.matchAll(/psql "\$\{[^`\n]+/g)].map(([command]) => command);
    expect(commands).to.have.length.at.least(2);

    for (const command of commands) {
      const whole = command.includes('--command') ? command : `${command} --command='select 1'`;
      const { status, stderr } = shell(whole);
      expect([status, stderr], whole).to.deep.equal([0, '']);
    }

    const inline = [...text.matchAll(/`((?:select|update) [^`<]+)`/g)].map(([, sql]) => sql);
    const blocks = [...text.matchAll(/^ *```sql\n( *select [^`]+)```$/gm)].map(([, sql]) => sql);

    // These need a standby, or a database of 1.0.0.
    const elsewhere = ['select pg_promote()', 'select count(*) from chain'];
    const statements = [...inline, ...blocks].filter((sql = '') => !elsewhere.includes(sql));
    expect(statements).to.have.length.at.least(5);

    for (const sql of statements) {
      const url = '"$(cat "$DATA_DIR/database-url")"';
      const { status, stderr } = shell(`psql ${url} --set ON_ERROR_STOP=1 <<'END'\n${sql};\nEND\n`);
      expect([status, stderr], sql).to.deep.equal([0, '']);
    }
  });

  it('the commands take no address from a variable that is empty there', () => {
    const beforeRestore = text.split('   export DATABASE_URL=')[0] ?? '';
    expect(beforeRestore.match(/"\$(?:DATABASE_URL|BASE_URL)[^"]*"/g)).to.equal(null);
  });
});
