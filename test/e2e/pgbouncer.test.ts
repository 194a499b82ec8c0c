import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { apiServerSettings, pooledServerSettings } from '../../src/database/address.js';
import { adminJson } from '../support/admin.js';
import { recordedAs } from '../support/delivery-records.js';
import {
  createEndpoint,
  dataOf,
  deliveriesPath,
  endpointInput,
  endpointsPath,
  type EndpointBody,
  toProblem,
} from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/launcher/ports.js';
import { answersAt } from '../support/postgres.js';

/** Connections of PgBouncer, which are fewer than the API's to it. */
const connections = 3;

const program = process.env['PGBOUNCER'] ?? 'pgbouncer';

/** The reason why tests with PgBouncer are pending; undefined when one is installed. */
const pgBouncerMissing: string | undefined = reasonOfAbsence();

describe('an API behind PgBouncer', () => {
  if (pgBouncerMissing !== undefined) {
    it(pgBouncerMissing);
    return;
  }

  const role = `pooled_${randomBytes(6).toString('hex')}`;
  let service: Service;
  let bouncer: PgBouncer;
  let receiver: Receiver;
  let tenant: Tenant;

  before(async () => {
    service = await startService();

    const { database } = service;
    const url = new URL(database.url);
    await database.query(`create role ${role} login password 'secret' in role ${url.username}`);
    for (const [name, value] of Object.entries(pooledServerSettings))
      await database.query(`alter role ${role} set ${name} = '${value}'`);
    url.username = role;
    url.password = 'secret';
    bouncer = await startPgBouncer(url.href, connections);
    await service.api.end();
    await service.startApi({ DATABASE_POOLER_URL: bouncer.url });
    receiver = await startReceiver();
    tenant = await createTenant(service);
  });

  after(async () => {
    await service.api.end();
    await bouncer.stop();
    await service.database.query(`drop role ${role}`);
    await service.stop();
    await receiver.close();
  });

  const sessions = async () => {
    const [row] = await service.database.query<{ pooled: number; direct: string[] }>(
      `select count(*) filter (where usename = $1)::int as pooled,
              coalesce(array_agg(distinct application_name) filter
                (where usename <> $1 and application_name like 'signalpost-api%'), '{}') as direct
         from pg_stat_activity where datname = current_database()`,
      [role],
    );
    return row;
  };

  it('H211: serves more requests at once than it has connections, each as without PgBouncer', async () => {
    const { rest } = tenant;
    const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    const make = (key: string) =>
      rest.post(endpointsPath, endpointInput({ url: receiver.url() }), { key });

    // Each key twice at once: one of them is the first, the other gets its response or waits.
    const created = await Promise.all([...keys, ...keys].map(make));
    expect(created.map(({ status }) => status)).to.deep.equal(created.map(() => 201));

    const listed = dataOf<EndpointBody[]>(await rest.get(`${endpointsPath}?limit=100`), 200);
    expect(listed).to.have.lengthOf(keys.length);
    for (const { id } of listed)
      expect((await rest.delete(`${endpointsPath}/${id}`)).status).to.equal(204);

    await createEndpoint(rest, { url: receiver.url() });

    const events = await Promise.all(Array.from({ length: 60 }, () => tenant.publish({})));
    for (const event of events) await recordedAs(rest, event, ['success']);

    const [record] = await recordedAs(rest, events[0] ?? '', ['success']);
    const replay = await rest.post(`${deliveriesPath}/${record.id}/replay`);
    expect(dataOf(replay, 200)).to.include({ status: 'success', replayed_from: record.id });
    expect((await rest.get(deliveriesPath)).body).to.have.property('page');
    expect((await sessions())?.pooled).to.be.within(1, connections);
  });

  it('H211: the API is unavailable while PgBouncer is, and goes on without a restart', async () => {
    await bouncer.end();
    await eventually(async () => {
      const refused = toProblem(await tenant.rest.get(endpointsPath), 503);
      expect(refused.code).to.equal('service_unavailable');
    }, 'the API answers 503');
    await bouncer.start();
    await eventually(async () => {
      expect((await tenant.rest.get(endpointsPath)).status).to.equal(200);
    }, 'the API answers again');
    const event = await tenant.publish({});
    await recordedAs(tenant.rest, event, ['success']);
  });

  it('doctor compares the settings behind PgBouncer with those that the API needs', async () => {
    const doctor = async (code: number) => {
      const environment = { ...service.environment, DATABASE_POOLER_URL: bouncer.url };
      const findings = await adminJson(environment, ['doctor'], code);
      return (findings as { level: string; detail: string }[]).filter(({ detail }) =>
        detail.includes('DATABASE_POOLER_URL'),
      );
    };

    expect(await doctor(0))
      .to.have.lengthOf(1)
      .and.have.nested.property('[0].level', 'ok');
    for (const name of Object.keys(apiServerSettings))
      await service.database.query(`alter role ${role} reset ${name}`);
    await bouncer.end();
    await bouncer.start();

    const [finding] = await doctor(1);
    expect(finding?.level).to.equal('error');
    expect(finding?.detail)
      .to.include('lack enable_seqscan=off, enable_bitmapscan=off, so')
      .and.include(`alter role "${role}"`);
  });
});

/** A PgBouncer in transaction mode. */
interface PgBouncer {
  /** The URL of the database through it. */
  readonly url: string;
  /** Ends it; `start` starts it again. */
  end(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

function reasonOfAbsence(): string | undefined {
  const { error, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = (!error && /PgBouncer (\d+)\.(\d+)/.exec(stdout)) || [];
  if (major === undefined) return 'no pgbouncer found: install PgBouncer 1.21 or newer to run this';
  // Older ones do not know prepared statements in transaction mode.
  if (Number(major) > 1 || Number(minor) >= 21) return undefined;
  return `PgBouncer ${major}.${minor} is too old: install 1.21 or newer to run this`;
}

/**
 * Starts a PgBouncer before a database.
 * @param address the URL of the database, with the user and password of its connections
 * @param connections at most this many connections to PostgreSQL
 */
async function startPgBouncer(address: string, connections: number): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(address);
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-pgbouncer-'));
  const listening = await freePort();

  writeFileSync(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`);

  writeFileSync(
    join(folder, 'ini'),
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listening}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${connections}
max_prepared_statements = 200
`,
  );

  chmodSync(folder, 0o755);

  const url = new URL(address);
  url.port = String(listening);

  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const spawnIt = async () => {
    const server = spawn(program, ['-q', ...user, join(folder, 'ini')], { stdio: 'ignore' });
    process.once('exit', () => server.kill('SIGKILL'));
    await eventually(() => answersAt(url.href), 'PgBouncer responds');
    return server;
  };

  let server = await spawnIt();
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  };

  return {
    url: url.href,
    end,
    async start() {
      server = await spawnIt();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
