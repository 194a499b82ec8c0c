import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { runDoctor as doctorOf } from '../../tools/doctor/doctor.js';
import type { Finding } from '../../tools/doctor/finding.js';
import { freePort } from '../../tools/launcher/ports.js';
import { admin, adminJson } from '../support/admin.js';
import { type CertificateOptions, testAuthority } from '../support/authority.js';
import { type ConnectProxy, startConnectProxy } from '../support/connect-proxy.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { cluster } from '../support/cluster.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { redisMissing, startRedis } from '../support/redis.js';
import { startMailServer } from '../support/mail.js';
import { randomBytes } from 'node:crypto';
import { listenOn, portOf, SocketPairs } from '../support/sockets.js';
import type { Database } from '../../src/database/database.js';
import { publishEvent } from '../../src/domain/event/publish.js';
import { makeId } from '../../src/domain/values/id.js';
import { insertAccount, insertEndpoint, eventType } from '../support/engine.js';
import { cjkFontFolder, cjkFontsMissing } from '../support/pdf.js';

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

  it('warns only that mails are written to files when all else is fine, in text as in JSON', async () => {
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

  it('warns about sandbox payments with DATABASE_URL, but not if they are intended', async () => {
    const DATABASE_URL = database.url;
    const SANDBOX_PAYMENTS = '1';
    const findings = await runDoctor({ DATABASE_URL, SANDBOX_PAYMENTS }, 0);
    expect(levels(findings)).to.eql({ ...healthy, payments: 'warning' });
    expect(findings.at(-1)?.detail).to.include('checkout_url').and.include('without paying');
  });

  it('warns that BASE_URL is not set, and names the default', async () => {
    const environment = { DATABASE_URL: database.url, BASE_URL: '', HOST: '0.0.0.0' };
    const findings = await runDoctor(environment, 0);
    const [, finding] = findings.filter(({ subject }) => subject === 'settings');
    expect(finding).to.include({ level: 'warning' });
    expect(finding?.detail).to.include('BASE_URL is not set').and.include('http://0.0.0.0:8080');
  });

  it('reports that Redis is unreachable while PostgreSQL is fine', async () => {
    const environment = { DATABASE_URL: database.url, REDIS_URL: `redis://${await away()}` };
    expect(levels(await runDoctor(environment, 1))).to.eql({ ...healthy, queue: 'error' });
  });

  it('reports whether the mail server accepts mail, and sends none', async () => {
    const server = await startMailServer();
    const environment = { DATABASE_URL: database.url, SMTP_URL: server.url };
    expect(levels(await runDoctor(environment, 0))).to.eql({ ...healthy, mail: 'ok' });
    expect(server.reached('recipient')).to.equal(0);
    // The mail server offers no TLS.
    const SMTP_URL = `smtp://me:hidden@127.0.0.1:${server.port}`;
    const untrusted = await runDoctor({ ...environment, SMTP_URL }, 1);
    expect(errorsOf(untrusted)).to.match(/^mail: cannot send mail/);
    expect(errorsOf(untrusted)).not.to.include('hidden');
    await server.close();
    expect(levels(await runDoctor(environment, 1))).to.eql({ ...healthy, mail: 'error' });
  });

  describe('its findings about egress', () => {
    let receiver: Receiver;
    let proxy: ConnectProxy;
    let folder: string;

    before(async () => {
      receiver = await startReceiver();
      proxy = await startConnectProxy();
      folder = mkdtempSync(join(tmpdir(), 'signalpost-doctor-'));
    });

    after(async () => {
      await receiver.close();
      await proxy.stop();
      rmSync(folder, { recursive: true });
    });

    const egressOf = async (settings: Record<string, string>, args: string[], code: number) => {
      const environment = {
        BASE_URL,
        SECRET_KEY,
        DATABASE_URL: database.url,
        WEBHOOKS_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
        WEBHOOKS_CA_FILE: (await testAuthority()).caFile,
        ...settings,
      };
      const findings = (await adminJson(environment, ['doctor', ...args], code)) as Finding[];
      return findings
        .filter(({ subject }) => subject === 'egress')
        .map(({ detail }) => detail)
        .join('\n');
    };

    it('H291: doctor opens a connection to a receiver through the proxy, or says whose fault it is', async () => {
      const target = `127.0.0.1:${receiver.port}`;
      const settings = { WEBHOOKS_PROXY_URL: proxy.url('shop:hidden@') };
      expect(await egressOf(settings, [], 0)).to.match(/reacts; --receiver/);
      expect(await egressOf({}, ['--receiver', target], 0)).to.equal(
        `connected to ${target} at 127.0.0.1 without a proxy (TLSv1.3)`,
      );
      expect(await egressOf(settings, ['--receiver', `https://${target}/hook`], 0)).to.equal(
        `connected to https://${target}/hook at 127.0.0.1 through the proxy (TLSv1.3)`,
      );
      expect(proxy.tunnels.map(({ to }) => to)).to.eql([target]);
      expect(receiver.requests).to.eql([]);

      const closed = await away();
      expect(await egressOf(settings, ['--receiver', closed], 1)).to.match(/with 503\. It cannot/);
      expect(await egressOf(settings, ['--receiver', '10.0.0.1'], 1)).to.match(/egress policy/);
      expect(await egressOf(settings, ['--receiver', 'http://a.example'], 1)).to.match(/https URL/);

      await proxy.stop();
      for (const args of [[], ['--receiver', target]]) {
        const detail = await egressOf(settings, args, 1);
        expect(detail).to.match(
          /the proxy of WEBHOOKS_PROXY_URL cannot be reached \(ECONNREFUSED\)/,
        );
        expect(detail).not.to.include('hidden');
      }
    });

    it('H293: doctor says when the client certificate ends', async () => {
      const certFile = join(folder, 'tls.crt');
      const keyFile = join(folder, 'tls.key');
      const settings = { WEBHOOKS_CLIENT_CERT_FILE: certFile, WEBHOOKS_CLIENT_KEY_FILE: keyFile };
      const authority = await testAuthority();
      const check = async (options: CertificateOptions, code: number) => {
        const { cert, key } = await authority.issue(options);
        writeFileSync(certFile, cert);
        writeFileSync(keyFile, key);
        return egressOf(settings, [], code);
      };

      expect(await check({ validMs: 30 * 86_400_000 }, 0)).to.match(
        /is valid until \d{4}-\d\d-\d\d/,
      );
      expect(await check({ expired: true }, 1)).to.match(/the client certificate ended on/);
      rmSync(keyFile);
      expect(await egressOf(settings, [], 1)).to.equal(
        'WEBHOOKS_CLIENT_KEY_FILE: cannot be read (ENOENT)',
      );
    });
  });

  describe('its findings about Redis', () => {
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

    it('reports that Redis evicts keys, and which setting to change', async () => {
      const finding = await queueOf({ 'maxmemory-policy': 'allkeys-lru' }, 1);
      expect(finding?.level).to.equal('error');
      expect(finding?.detail).to.include('maxmemory-policy allkeys-lru').and.include('noeviction');
    });

    it('warns that Redis keeps nothing on disk, and what that costs', async () => {
      const finding = await queueOf({}, 0);
      expect(finding?.level).to.equal('warning');
      expect(finding?.detail).to.include('appendonly no, save ""').and.include('none is lost');
      expect(await queueOf({ appendonly: 'yes' }, 0)).to.include({ level: 'ok' });
    });
  });

  it('H283: reports in time what it knows while a statement waits', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();

    try {
      await holder.query('begin; lock table endpoint_secret');

      let reported: readonly Finding[] = [];
      await doctorOf(
        { BASE_URL, SECRET_KEY, DATABASE_URL: database.url },
        (findings) => (reported = findings),
        // Shorter than the limit of a statement.
        { startMs: 1_000, allMs: 1_000 },
      );

      expect(errorsOf(reported)).to.match(/^\w+: this check timed out/);
      expect(levels(reported)).to.include({ settings: 'ok', payments: 'ok', invoices: 'ok' });
    } finally {
      await holder.end();
    }
  });

  it('H196: reports a read-only database, as managed ones become when their disk is full', async () => {
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

describe('the findings of admin doctor about connections', () => {
  interface Finding {
    readonly subject: string;
    readonly level: 'ok' | 'warning' | 'error';
    readonly detail: string;
  }

  let database: TestDatabase;

  before(async () => (database = await createTestDatabase()));
  after(() => database.drop());

  const runDoctor = async (databaseUrl: string, code: number) => {
    const environment = {
      DATABASE_URL: databaseUrl,
      BASE_URL: 'https://api.example',
      SECRET_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    };
    return (await adminJson(environment, ['doctor'], code)) as Finding[];
  };

  it('names the settings that each kind of connection lacks behind a pooler that drops start-up options', async () => {
    const pooler = await openPooler(database.url);
    try {
      const findings = await runDoctor(pooler.url, 1);
      const errors = findings.filter(({ level }) => level === 'error');
      expect(errors).to.have.lengthOf(1);
      expect(errors[0]?.subject).to.equal('connections');

      expect(errors[0]?.detail)
        .to.match(
          /^connections of the API lack jit=off, enable_seqscan=off, enable_bitmapscan=off;/,
        )
        .and.include('connections of the queue lack jit=off, search_path=bullmq');
    } finally {
      await pooler.close();
    }
  });

  it('warns if PostgreSQL hides the sessions of other roles, and names the grant', async () => {
    const role = `Own_${randomBytes(6).toString('hex')}`;
    const url = new URL(database.url);
    url.username = role;
    url.password = 'secret';

    const hidden = async () => {
      const findings = await runDoctor(url.href, 0);
      return findings.filter(({ detail }) => detail.includes('pg_read_all_stats'));
    };

    await database.query(`create role "${role}" login password 'secret' in role pg_read_all_data`);

    try {
      const [warning, ...others] = await hidden();
      expect(others).to.deep.equal([]);
      expect(warning?.level).to.equal('warning');

      const grant = /^.*: (grant pg_read_all_stats to .*)$/.exec(warning?.detail ?? '')?.[1] ?? '';
      expect(grant).to.equal(`grant pg_read_all_stats to "${role}"`);
      await database.query(grant);
      expect(await hidden()).to.deep.equal([]);
      await database.query(
        `revoke pg_read_all_stats from "${role}"; grant pg_monitor to "${role}"`,
      );
      expect(await hidden()).to.deep.equal([]);
    } finally {
      await database.query(`drop role "${role}"`);
    }
  });

  it('reports no problem if the URL has its own options', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c jit=on -c search_path=public');
    const findings = await runDoctor(url.href, 0);
    const wrong = findings.filter(({ level }) => level !== 'ok');
    // This database has no worker, and no mail server beside it.
    expect(wrong.map(({ subject }) => subject)).to.deep.equal(['workers', 'mail']);
  });
});

/** A pooler before PostgreSQL that drops start-up options, as PgBouncer can (ignore_startup_parameters). */
interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a {@link Pooler} before the database of `address`. */
async function openPooler(address: string): Promise<Pooler> {
  const target = new URL(address);
  const pairs = new SocketPairs();
  const server = await listenOn(0, (outer) => {
    const inner = pairs.connect(outer, Number(target.port));
    inner.pipe(outer);
    outer.once('data', (packet: Buffer) => {
      inner.write(withoutOptions(packet));
      outer.pipe(inner);
    });
  });

  const url = new URL(address);
  url.port = String(portOf(server));

  return { url: url.href, close: () => pairs.close(server) };
}

/** A start-up packet has a length, the protocol, and names and values that end with NUL. */
function withoutOptions(packet: Buffer): Buffer {
  const words = packet.subarray(8, -2).toString().split('\0');
  const at = words.findIndex((word, index) => index % 2 === 0 && word === 'options');
  if (at !== -1) words.splice(at, 2);
  const rest = Buffer.from(`${words.join('\0')}\0\0`);
  const head = Buffer.from(packet.subarray(0, 8));
  head.writeInt32BE(head.length + rest.length);
  return Buffer.concat([head, rest]);
}

const day = 86_400_000;

describe('the findings of admin doctor about deliveries', () => {
  let database: TestDatabase;
  let domain: Database;
  let account: string;

  before(async () => {
    database = await createTestDatabase();
    domain = await database.open();
  });

  after(() => database.drop());

  beforeEach(async () => {
    await database.query('truncate pending_delivery, event, endpoint_secret, endpoint');
    account = await insertAccount(database);
    await insertEndpoint(database, account);
  });

  /** Inserts a pending delivery that is `days` old. @returns its id */
  const open = async (days: number): Promise<string> => {
    const input = { type: eventType, subject: 's', data: {}, test: false };
    const event = await domain.transact((tx) => publishEvent(tx, account, input));
    const id = makeId('pdl', new Date(Date.now() - days * day));
    await database.query('update pending_delivery set id = $2 where event_id = $1', [event.id, id]);
    return id;
  };

  /** @returns its findings about deliveries */
  const runDoctor = async (changes: Record<string, string> = {}) => {
    const environment = {
      BASE_URL: 'https://api.example',
      // The key that sealed the secrets of the inserted endpoints.
      SECRET_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      DATABASE_URL: database.url,
      ...changes,
    };
    const findings = (await adminJson(environment, ['doctor'], 0)) as {
      readonly subject: string;
      readonly level: string;
      readonly detail: string;
    }[];
    return findings.filter(({ subject }) => subject === 'deliveries');
  };

  it('warns about deliveries that are pending for more than 35 days, and names the oldest', async () => {
    await open(34);
    expect((await runDoctor())[0]).to.include({ level: 'ok' });
    await open(36);
    const oldest = await open(50);
    const [finding] = await runDoctor();
    expect(finding).to.include({ level: 'warning' });
    expect(finding?.detail).to.match(new RegExp(`^2 pending .* ${oldest}`));
  });

  it('H304: names a retry schedule that endpoints have chosen and the settings lack', async () => {
    await database.query(`update endpoint set retry_schedule = 'slow'`);
    const offering = await runDoctor({ WEBHOOKS_RETRY_SCHEDULES: 'slow=1h' });
    expect(offering).to.have.lengthOf(1);

    const [, finding] = await runDoctor();
    expect(finding).to.include({ level: 'warning' });
    expect(finding?.detail).to.match(/^WEBHOOKS_RETRY_SCHEDULES lacks slow, which 1 endpoint/);
  });

  it('reports old dead letters as dead letters only', async () => {
    await open(36);
    await database.query(
      `update pending_delivery set ready = false, lease_token = null, dead_letter_reason = 'it ended processes'`,
    );
    const [finding] = await runDoctor();
    expect(finding).to.include({ level: 'warning' });
    expect(finding?.detail).to.match(/^1 dead-lettered: .*releaseDeadLetter/);
    expect(finding?.detail).not.to.include('35 days');
  });
});

describe('the findings of admin doctor about fonts', () => {
  interface Finding {
    readonly subject: string;
    readonly level: string;
    readonly detail: string;
  }

  let database: TestDatabase;

  before(async () => (database = await createTestDatabase()));
  after(() => database.drop());

  const findingsWith = async (PDF_FONTS: string, code = 0) => {
    const environment = {
      BASE_URL: 'https://api.example',
      SECRET_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      DATABASE_URL: database.url,
    };
    const findings = await adminJson({ ...environment, PDF_FONTS }, ['doctor'], code);
    return (findings as Finding[]).find(({ subject }) => subject === 'invoices');
  };

  it('names the letters that invoices lack', async () => {
    const unset = await findingsWith('');
    expect(unset).to.include({ level: 'ok' });
    expect(unset?.detail).to.include('PDF_FONTS').and.include('empty squares');
  });

  it('reports a folder that cannot be read or has no useful font', async () => {
    const gone = await findingsWith('/nowhere/fonts', 1);
    expect(gone).to.include({ level: 'error' });
    expect(gone?.detail).to.include('/nowhere/fonts');
    const folder = mkdtempSync(join(tmpdir(), 'signalpost-fonts-'));
    const empty = await findingsWith(folder);
    rmSync(folder, { recursive: true });
    expect(empty).to.include({ level: 'warning' });
    expect(empty?.detail).to.include('Chinese, Japanese, Korean letters');
  });

  if (cjkFontsMissing !== undefined) it(cjkFontsMissing);
  else {
    it('accepts a folder whose fonts have Chinese, Japanese and Korean letters', async () => {
      expect(await findingsWith(cjkFontFolder)).to.include({ level: 'ok' });
    });
  }
});
