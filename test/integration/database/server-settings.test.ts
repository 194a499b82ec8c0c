import { expect } from 'chai';
import { fetch } from 'undici';
import { freePort } from '../../../tools/launcher/ports.js';
import { migrateAll } from '../../../src/process/migrate-all.js';
import { admin } from '../../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { type ServiceProcess, startProcess } from '../../support/process.js';

/** What a connection got, as PostgreSQL saw it when it began. */
interface Login {
  readonly name: string;
  readonly jit: string;
  readonly memory: string;
  readonly idle: string;
  readonly path: string;
}

// What an operator may have in a DATABASE_URL; `options` there replace any that code gives.
const given = '-c jit=on -c work_mem=5MB';

describe('connections of every process and command', () => {
  let database: TestDatabase;
  let url: string;
  const started: ServiceProcess[] = [];

  before(async () => {
    database = await createTestDatabase();

    const address = new URL(database.url);
    address.searchParams.set('options', given);
    url = address.href;
    await database.query(
      `create table login (name text, jit text, memory text, idle text, path text)`,
    );

    await database.query(
      `create function note_login() returns event_trigger language plpgsql as $$ begin
         insert into public.login select current_setting('application_name'), current_setting('jit'),
           current_setting('work_mem'), current_setting('tcp_keepalives_idle'),
           current_setting('search_path');
       end $$`,
    );

    await database.query(`create event trigger noting on login execute function note_login()`);
  });

  after(async () => {
    await Promise.all(started.filter(({ running }) => running).map((one) => one.end()));
    await database.drop();
  });

  it('every connection has our settings and those of an operator, whichever library opens it', async () => {
    const internalPort = await freePort();
    const workerPort = await freePort();
    const environment = {
      DATABASE_URL: url,
      SECRET_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      BASE_URL: 'http://127.0.0.1',
      PORT: '0',
      INTERNAL_PORT: String(internalPort),
      WORKER_PORT: String(workerPort),
    };

    await migrateAll(url);
    started.push(startProcess('src/main.js', environment));
    started.push(startProcess('workers/main.js', environment));

    for (const port of [internalPort, workerPort]) {
      await eventually(async () => {
        const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
        expect(status).to.equal(200);
      }, 'it is ready');
    }

    await eventually(async () => {
      const beats = await database.query('select from worker_heartbeat');
      expect(beats).to.have.lengthOf(1);
    }, 'the worker has polled');

    for (const words of [['accounts', 'list'], ['doctor']]) {
      const { code, stdout, stderr } = await admin(environment, ...words);
      expect(code, stdout + stderr).to.equal(0);
    }

    const kinds = ['admin', 'api', 'doctor', 'listen', 'migrate', 'queue', 'worker'];
    const logins = await eventually(async () => {
      const rows = await database.query<Login>(
        `select distinct name, jit, memory, idle, path from login
          where name like 'signalpost-%' order by name`,
      );
      const names = new Set(rows.map(({ name }) => name.replace('signalpost-', '')));
      expect([...names]).to.include.members(kinds);
      return rows;
    }, 'all have connected');

    const failed = logins.filter(
      ({ jit, memory, idle }) => jit !== 'off' || memory !== '5MB' || idle !== '30',
    );
    expect(failed).to.deep.equal([]);

    const queue = logins.filter(({ name }) => name === 'signalpost-queue');
    expect(queue.map(({ path }) => path)).to.deep.equal(['bullmq']);
  });
});
