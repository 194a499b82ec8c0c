import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { runDoctor as doctorOf } from '../../tools/doctor/doctor.js';
import type { Finding } from '../../tools/doctor/finding.js';
import { freePort } from '../../tools/launcher/ports.js';
import { admin, adminJson } from '../support/admin.js';
import { cluster } from '../support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { redisMissing, startRedis } from '../support/redis.js';
import { startMailServer } from '../support/mail.js';

const BASE_URL = 'https://api.example';
const SECRET_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

describe('admin doctor', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
    // A worker that stays alive for the whole test.
    await database.query(`insert into worker_heartbeat
      values ('w', '{deliver,replay,notify,expire}', now(), now() + interval '1 day')`);
  });

  after(() => database.drop());

  const runDoctor = async (environment: Record<string, string>, code: number) =>
    (await adminJson({ BASE_URL, SECRET_KEY, ...environment }, ['doctor'], code)) as Finding[];
  const levels = (findings: readonly Finding[]) =>
    Object.fromEntries(findings.map(({ subject, level }) => [subject, level]));
  const errorsOf = (findings: readonly Finding[]) =>
    findings
      .filter(({ level }) => level === 'error')
      .map(({ subject, detail }) => `${subject}: ${detail}`)
      .join('\n');

  const away = async () => `127.0.0.1:${await freePort()}`;
  const healthy = {
    settings: 'ok',
    database: 'ok',
    migrations: 'ok',
    connections: 'ok',
    notifications: 'ok',
    secrets: 'ok',
    deliveries: 'ok',
    queue: 'ok',
    payments: 'ok',
    workers: 'ok',
    invoices: 'ok',
    mail: 'warning',
  };

  it('reports only that mails become files where everything else is right, for people, too', async () => {
    expect(levels(await runDoctor({ DATABASE_URL: database.url }, 0))).to.eql(healthy);
    const { stdout } = await admin({ BASE_URL, SECRET_KEY, DATABASE_URL: database.url }, 'doctor');
    expect(stdout.trimEnd().split('\n')).to.have.lengthOf(12);
    expect(stdout).to.match(/^ok {7}database: PostgreSQL \d+/m);
    expect(stdout).to.match(/^warning {2}mail: SMTP_URL is not set: .* to \S+\/mail /m);
  });

  it('reports in one run that neither PostgreSQL nor Redis responds', async () => {
    const postgres = await away();
    const redis = await away();
    const environment = {
      DATABASE_URL: `postgres://me:hidden@${postgres}/x`,
      REDIS_URL: `redis://${redis}`,
    };

    const findings = await runDoctor(environment, 1);
    expect(levels(findings)).to.eql({
      settings: 'ok',
      database: 'error',
      queue: 'error',
      payments: 'ok',
      invoices: 'ok',
      mail: 'warning',
    });

    expect(errorsOf(findings)).to.include('PostgreSQL is not responding').and.include(postgres);
    expect(errorsOf(findings)).to.include('Redis does not respond').and.not.include('hidden');

    const { code, stdout, stderr } = await admin({ SECRET_KEY, ...environment }, 'doctor');
    expect(code).to.equal(1);
    expect(stderr).to.equal('');
    expect(stdout).not.to.match(/^\s+at /m);
  });

  it('warns about sandbox payments beside DATABASE_URL, and not where they are meant', async () => {
    const DATABASE_URL = database.url;
    const SANDBOX_PAYMENTS = '1';
    const findings = await runDoctor({ DATABASE_URL, SANDBOX_PAYMENTS }, 0);
    expect(levels(findings)).to.eql({ ...healthy, payments: 'warning' });
    expect(findings.at(-1)?.detail).to.include('checkout_url').and.include('without paying');
  });

  it('warns that BASE_URL is not set, and names the default', async () => {
    const environment = { DATABASE_URL: database.url, BASE_URL: '', HOST: '0.0.0.0' };
    const findings = await runDoctor(environment, 0);
    const [, found] = findings.filter(({ subject }) => subject === 'settings');
    expect(found).to.include({ level: 'warning' });
    expect(found?.detail).to.include('BASE_URL is not set').and.include('http://0.0.0.0:8080');
  });

  it('reports Redis that is away while PostgreSQL is well', async () => {
    const environment = { DATABASE_URL: database.url, REDIS_URL: `redis://${await away()}` };
    expect(levels(await runDoctor(environment, 1))).to.eql({ ...healthy, queue: 'error' });
  });

  it('reports whether the mail server accepts mail, and sends none', async () => {
    const server = await startMailServer();
    const environment = { DATABASE_URL: database.url, SMTP_URL: server.url };
    expect(levels(await runDoctor(environment, 0))).to.eql({ ...healthy, mail: 'ok' });
    expect(server.reached('recipient')).to.equal(0);
    // It offers no TLS.
    const SMTP_URL = `smtp://me:hidden@127.0.0.1:${server.port}`;
    const untrusted = await runDoctor({ ...environment, SMTP_URL }, 1);
    expect(errorsOf(untrusted)).to.match(/^mail: cannot send mail/);
    expect(errorsOf(untrusted)).not.to.include('hidden');
    await server.close();
    expect(levels(await runDoctor(environment, 1))).to.eql({ ...healthy, mail: 'error' });
  });

  describe('of a Redis', () => {
    const queueOf = async (settings: Record<string, string>, code: number) => {
      const redis = await startRedis(undefined, settings);
      try {
        const environment = { DATABASE_URL: database.url, REDIS_URL: redis.url };
        const findings = await runDoctor(environment, code);
        return findings.find(({ subject }) => subject === 'queue');
      } finally {
        await redis.stop();
      }
    };

    if (redisMissing !== undefined) {
      it(redisMissing);
      return;
    }

    it('reports that it evicts keys, and says what to set', async () => {
      const found = await queueOf({ 'maxmemory-policy': 'allkeys-lru' }, 1);
      expect(found?.level).to.equal('error');
      expect(found?.detail).to.include('maxmemory-policy allkeys-lru').and.include('noeviction');
    });

    it('warns that it keeps nothing on disk, and what that costs', async () => {
      const found = await queueOf({}, 0);
      expect(found?.level).to.equal('warning');
      expect(found?.detail).to.include('appendonly no, save ""').and.include('none is lost');
      expect(await queueOf({ appendonly: 'yes' }, 0)).to.include({ level: 'ok' });
    });
  });

  it('H283: reports in time what it knows while a statement waits', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();

    try {
      await holder.query('begin; lock table endpoint_secret');

      let found: readonly Finding[] = [];
      await doctorOf(
        { BASE_URL, SECRET_KEY, DATABASE_URL: database.url },
        (findings) => (found = findings),
        // Shorter than the limit of a statement.
        { startMs: 1_000, allMs: 1_000 },
      );

      expect(errorsOf(found)).to.match(/^\w+: this check timed out/);
      expect(levels(found)).to.include({ settings: 'ok', payments: 'ok', invoices: 'ok' });
    } finally {
      await holder.end();
    }
  });

  it('H196: reports a database that only reads, as managed ones do when their disk is full', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const findings = await runDoctor({ DATABASE_URL: url.href }, 1);
    expect(errorsOf(findings)).to.match(/^database: PostgreSQL refuses writes/);
    expect(levels(findings)).to.include({ secrets: 'ok', deliveries: 'ok' });
  });

  it('reports a wrong password', async () => {
    const url = new URL(database.url);
    url.password = 'hidden';
    const findings = await runDoctor({ DATABASE_URL: url.href }, 1);
    expect(errorsOf(findings)).to.match(/^database: .*password authentication failed/);
    expect(errorsOf(findings)).not.to.include('hidden');
  });

  it('reports missing migrations, and applies none', async () => {
    const environment = { DATABASE_URL: (await cluster()).url('postgres') };
    for (const again of [false, true]) {
      const findings = await runDoctor(environment, 1);
      expect(levels(findings), String(again)).to.include({ database: 'ok', migrations: 'error' });
      expect(errorsOf(findings)).to.include(
        'Run "signalpost-server migrate" (in a clone "npm run migrate")',
      );
    }
  });

  it('reports every problem of the settings at once', async () => {
    const environment = { DATABASE_URL: 'mysql://x', SECRET_KEY: '', PORT: 'eighty' };
    const findings = await runDoctor(environment, 1);
    expect(findings.map(({ subject }) => subject)).to.eql(['settings', 'settings', 'settings']);
    expect(errorsOf(findings)).to.include('PORT').and.include('SECRET_KEY').and.include('URL');
  });

  it('reports a DATA_DIR without a database, and creates nothing in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalpost-doctor-'));
    try {
      const findings = await runDoctor({ DATA_DIR: folder, SECRET_KEY: '' }, 1);
      expect(errorsOf(findings)).to.include(`${folder} holds no database`);
      const nowhere = await runDoctor({ DATA_DIR: join(folder, 'none'), SECRET_KEY: '' }, 1);
      expect(levels(nowhere)).to.eql({ settings: 'ok', database: 'error' });
      expect(readdirSync(folder)).to.eql([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
