import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { acquirePostgres } from '../../tools/launcher/embedded-postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createTestHome, startLauncher, type TestHome } from '../support/launcher.js';
import { runProgram } from '../support/process.js';

const SECRET_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

/** What TypeORM leaves of the migrations of 1.0.0. */
const oldSchema = `
  drop table if exists migration;
  create table migration (id serial primary key, "timestamp" bigint not null, name varchar not null);
  insert into migration ("timestamp", name) values (1764000000000, 'Initial1764000000000');
  create table kept (n int);
  insert into kept values (7)`;

/** All tables and indexes, with a value that changes when they are altered. */
const everything = `
  select relname, relnatts, pg_relation_filenode(oid) as file, (select count(*)::int from kept) as kept,
         (select string_agg(name, ',') from migration) as migrations
    from pg_class where relnamespace::regnamespace::text !~ '^pg_|^information_schema'
   order by relname`;

const isRefused = /was made by Signalpost 1\.0\.0 or an unreleased version/;
const changedNothing = 'This version cannot upgrade it and has changed nothing.';
const stack = /^\s+at |\.js:\d+|node:internal/m;

describe('a database that 1.0.0 or an unreleased version made', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
    await test.query('drop schema bullmq cascade');
    await test.query(oldSchema);
  });

  after(() => test.drop());

  for (const entry of ['tools/migrate/main.js', 'src/main.js', 'workers/main.js']) {
    it(`${entry} refuses the database, and says how to begin again`, async () => {
      const before = await test.query(everything);
      const ended = await runProgram(entry, [], {
        DATABASE_URL: test.url,
        SECRET_KEY,
        PORT: '0',
        INTERNAL_PORT: '0',
        WORKER_PORT: '0',
      });

      const output = ended.stdout + ended.stderr;
      expect(ended.code, output).to.equal(1);
      expect(output).to.match(isRefused).and.to.include(changedNothing);
      expect(output).to.include(`The database ${new URL(test.url).pathname.slice(1)} was made`);
      expect(output).to.include('Initial1764000000000').and.to.include('an empty database');
      expect(output).not.to.match(stack);
      expect(await test.query(everything)).to.deep.equal(before);
    });
  }
});

describe('a data folder that 1.0.0 or an unreleased version made', () => {
  let home: TestHome;

  const inHome = async (text: string): Promise<unknown[]> => {
    const presence = await acquirePostgres(home.dataDir, 'test');
    const connectionString = readFileSync(join(home.dataDir, 'database-url'), 'utf8').trim();
    const client = new pg.Client({ connectionString, application_name: 'test' });
    await client.connect();
    try {
      return (await client.query<object>(text)).rows;
    } finally {
      await client.end();
      await presence.leave();
    }
  };

  before(async () => {
    home = await createTestHome();
    await inHome(oldSchema);
  });

  after(() => home.remove());

  const expectRefusal = (output: string) => {
    expect(output).to.include(`The database in ${home.dataDir} was made by Signalpost 1.0.0`);
    expect(output).to.include(changedNothing).and.to.include(`delete the folder ${home.dataDir}`);
    expect(output).not.to.match(stack);
  };

  it('npm start refuses the folder, and names it', async () => {
    const before = await inHome(everything);
    const launcher = startLauncher(home);
    expect(await launcher.ended, launcher.output()).to.deep.equal({ code: 1, signal: null });
    expectRefusal(launcher.output());
    expect(await inHome(everything)).to.deep.equal(before);
  });

  it('npm run migrate refuses the folder, and names it', async () => {
    const before = await inHome(everything);
    const ended = await runProgram('tools/migrate/main.js', [], { DATA_DIR: home.dataDir });
    expect(ended.code).to.equal(1);
    expectRefusal(ended.stderr);
    expect(await inHome(everything)).to.deep.equal(before);
  });
});

describe('a database that a newer version has migrated', () => {
  it('npm run migrate refuses the database, and names the migrations that it does not know', async () => {
    const test = await createTestDatabase();
    try {
      await test.query(
        `insert into migration ("timestamp", name) values (1999000000000, 'Later1999000000000')`,
      );
      await test.query(`update schema_compatibility set oldest = 'Later1999000000000'`);
      const ended = await runProgram('tools/migrate/main.js', [], { DATABASE_URL: test.url });
      expect(ended.code).to.equal(1);
      expect(ended.stderr).to.include('Later1999000000000').and.to.include('newer version');
    } finally {
      await test.drop();
    }
  });
});
