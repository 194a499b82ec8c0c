import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { Sealer } from '../../src/domain/values/sealer.js';
import { withDatabase } from '../../tools/launcher/with-database.js';
import { admin, adminJson } from '../support/admin.js';
import { recordedAs, recordsOf } from '../support/delivery-records.js';
import { createEndpoint, dataOf, type EndpointBody, endpointsPath } from '../support/endpoints.js';
import { insertAccount, insertEndpoint } from '../support/engine.js';
import { eventually } from '../support/eventually.js';
import { createTestHome, startLauncher, type TestHome } from '../support/launcher.js';
import { eachSignature, type Receiver, startReceiver, verify } from '../support/receiver.js';
import { type Ended, runProgram } from '../support/process.js';
import { type Service, startService, startWorker, type WorkerProcess } from '../support/service.js';
import { createTenant, type Tenant } from '../support/tenants.js';

type WithSecret = EndpointBody & { readonly signing_secret: string };

const keyOf = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

describe('a DATA_DIR that lost its secret-key', () => {
  let home: TestHome;
  let keyFile: string;

  before(async () => {
    home = await createTestHome();
    keyFile = join(home.dataDir, 'secret-key');
    const launcher = startLauncher(home);
    await launcher.says('Signalpost is ready.');
    launcher.signalGroup('SIGINT');
    await launcher.ended;
  });

  after(() => home.remove());

  const idOfKey = () => readFileSync(keyFile, 'utf8').split(':')[0];

  it('creates a key with another id while the database has no signing secret', async () => {
    const first = idOfKey();
    renameSync(keyFile, `${keyFile}.unused`);
    await adminJson(home.environment, ['accounts', 'list']);
    expect(idOfKey()).to.match(/^k[0-9a-f]{8}$/);
    expect(first)
      .to.match(/^k[0-9a-f]{8}$/)
      .and.not.equal(idOfKey());
  });

  it('H284: npm start refuses another key under the id of the key that sealed the secrets', async () => {
    const [id = '', key = ''] = readFileSync(keyFile, 'utf8').trim().split(':');
    await withDatabase(async ({ databaseUrl }) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      const query = async <Row extends object>(text: string, values?: unknown[]) =>
        (await client.query<Row>(text, values)).rows;
      const endpoint = await insertEndpoint({ query }, await insertAccount({ query }));
      const sealer = new Sealer([{ id, key: Buffer.from(key, 'base64') }]);
      const { sealed } = sealer.seal('whsec_x', endpoint);
      await query('update endpoint_secret set key_id = $1, sealed = $2', [id, sealed]);
      await client.end();
    }, home.environment);

    const start = (SECRET_KEY: string) =>
      startLauncher({ ...home, environment: { ...home.environment, SECRET_KEY } });
    const refused = start(keyOf(id, 9));
    expect(await refused.ended).to.deep.equal({ code: 1, signal: null });
    expect(refused.output())
      .to.include(`SECRET_KEY ${id} is not the key that sealed the signing secrets`)
      .and.include('The key is lost');
    expect(refused.output()).not.to.match(/^\s+at .*:\d+:\d+|is ready/m);

    // As docs/operations.md says after a loss: a key of another id, until the secrets are replaced.
    for (const ring of [`${id}:${key}`, keyOf('k9', 9)]) {
      const started = start(ring);
      await started.says('Signalpost is ready.');
      started.signalGroup('SIGINT');
      await started.ended;
    }
  });

  it('H284: no command creates another key while there are signing secrets, and each names the file', async () => {
    await withDatabase(async ({ databaseUrl }) => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      const query = async <Row extends object>(text: string, values?: unknown[]) =>
        (await client.query<Row>(text, values)).rows;
      await insertEndpoint({ query }, await insertAccount({ query }));
      await client.end();
    }, home.environment);

    const kept = `${keyFile}.kept`;
    renameSync(keyFile, kept);

    const launcher = startLauncher(home);
    expect(await launcher.ended).to.deep.equal({ code: 1, signal: null });

    const commands: readonly Ended[] = [
      await admin(home.environment, 'accounts', 'list'),
      await admin(home.environment, 'seed', '--size', 'small'),
      await admin(home.environment, 'doctor'),
      await runProgram('tools/migrate/main.js', [], home.environment),
    ];

    const outputs = commands.map(({ stdout, stderr }) => stdout + stderr);

    for (const output of [launcher.output(), ...outputs]) {
      expect(output).to.include(`${keyFile} is missing`).and.include('The key is lost');
      expect(output).not.to.match(/^\s+at .*:\d+:\d+|is ready/m);
    }

    expect(commands.map(({ code }) => code)).to.eql([1, 1, 1, 1]);
    expect(existsSync(keyFile)).to.equal(false);

    writeFileSync(keyFile, '');
    expect((await admin(home.environment, 'accounts', 'list')).code).to.equal(1);
    expect(readFileSync(keyFile, 'utf8')).to.equal('');

    renameSync(kept, keyFile);
    expect((await admin(home.environment, 'accounts', 'list')).code).to.equal(0);
  });
});

describe('a SECRET_KEY that did not seal the stored secrets', () => {
  let service: Service;
  let tenant: Tenant;
  let receiver: Receiver;
  let environment: Readonly<Record<string, string>>;
  const workers: WorkerProcess[] = [];

  /** The id of the key of the service, and other bytes. */
  const wrong = keyOf('t1', 9);
  const next = keyOf('t2', 4);

  before(async () => {
    service = await startService({ workers: 0 });
    tenant = await createTenant(service);
    receiver = await startReceiver();
    ({ environment } = service);
  });

  after(async () => {
    await Promise.all(workers.filter(({ running }) => running).map((worker) => worker.end()));
    await service.stop();
    await receiver.close();
  });

  const work = async (SECRET_KEY: string) => {
    const worker = await startWorker({ ...environment, SECRET_KEY });
    workers.push(worker);
    return worker;
  };

  const pendingOf = (endpoint: string) =>
    service.database.query<{ attempt: number; waits: boolean }>(
      `select attempt, not ready and due_at > now() + interval '1 second' as waits
         from pending_delivery where endpoint_id = $1`,
      [endpoint],
    );

  const untilAllWait = (endpoint: string, count: number) =>
    eventually(async () => {
      const waiting = { attempt: 1, waits: true };
      expect(await pendingOf(endpoint)).to.eql(Array.from({ length: count }, () => waiting));
    }, 'every delivery waits');

  const makeDue = (endpoint: string) =>
    service.database.query('update pending_delivery set due_at = now() where endpoint_id = $1', [
      endpoint,
    ]);

  const secretsFinding = async (SECRET_KEY: string) => {
    // No worker runs, which doctor reports as an error.
    const findings = await adminJson({ ...environment, SECRET_KEY }, ['doctor'], 1);
    const secrets = (findings as { subject: string; level: string; detail: string }[]).filter(
      ({ subject }) => subject === 'secrets',
    );
    return secrets.map(({ level, detail }) => `${level}: ${detail}`);
  };

  it('H285: deliveries wait uncounted, with a log line a minute, until the right key is back', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/waits') });
    const events = [];
    for (let count = 0; count < 20; count += 1) events.push(await tenant.publish({}));

    const worker = await work(wrong);
    await untilAllWait(id, 20);
    await makeDue(id);
    await untilAllWait(id, 20);
    await worker.end();

    const lines = worker.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const said = lines.filter(({ msg }) => String(msg).includes(id));
    expect(said[0]).to.include({
      level: 50,
      endpoint: id,
      account: tenant.account,
      msg: `cannot open the signing secret of ${id}: SECRET_KEY t1 is not the key that sealed it`,
    });

    const times = said.map(({ time }) => new Date(time as string).getTime());
    for (const [index, time] of times.slice(1).entries())
      expect(time - (times[index] ?? 0)).to.be.at.least(59_000);
    expect(worker.lines.join('\n')).not.to.match(/Unsupported state|could not make an attempt/);
    expect(receiver.requests.filter(({ path }) => path === '/waits')).to.eql([]);
    expect(await recordsOf(tenant.rest, events[0] ?? '')).to.eql([]);

    await work(environment['SECRET_KEY'] ?? '');
    await makeDue(id);

    for (const event of events) {
      const [record] = await recordedAs(tenant.rest, event, ['success']);
      expect(record.attempt).to.equal(1);
    }

    await workers.at(-1)?.end();
  });

  it('H285: signs with the secret that it can open during the overlap of a rotation', async () => {
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url('/overlap') });
    await service.api.end();
    await service.startApi({ SECRET_KEY: `${next},${environment['SECRET_KEY'] ?? ''}` });

    const rotated = await tenant.rest.post(`${endpointsPath}/${id}/secret-rotations`);
    const { signing_secret: secret } = dataOf<WithSecret>(rotated, 200);

    const worker = await work(next);
    const event = await tenant.publish({});
    const request = await receiver.next(
      ({ headers, path }) => path === '/overlap' && headers['webhook-id'] === event,
    );
    expect(eachSignature(request)).to.have.lengthOf(1);
    expect(verify(request, secret)).to.eql({ service: true, standard: true });
    await worker.end();
    expect(worker.lines.join('\n')).to.include(
      `cannot open the signing secret of ${id}: SECRET_KEY has no key t1, which sealed it`,
    );
  });

  it('H284: doctor tries to open a secret of each key id', async () => {
    const right = environment['SECRET_KEY'] ?? '';
    expect(await secretsFinding(`${next},${right}`)).to.satisfy(([first = '']: string[]) =>
      first.startsWith('warning: older keys still seal secrets'),
    );
    const [first, second] = await secretsFinding(`${wrong},${keyOf('t3', 5)}`);
    expect(first).to.match(
      /^error: SECRET_KEY t1 is not the key that sealed the secrets of whs_\w+: .*The key is lost/,
    );
    expect(second).to.match(/^error: SECRET_KEY lacks keys that seal secrets: t2\. /);
  });

  it('keys rotate reseals what it can open, and names what it cannot', async () => {
    const older = keyOf('t0', 8);
    const { id } = await createEndpoint(tenant.rest, { url: receiver.url() });
    await service.database.query(
      `update endpoint_secret set key_id = 't0' where endpoint_id = $1`,
      [id],
    );

    const ring = {
      ...environment,
      SECRET_KEY: `${next},${environment['SECRET_KEY'] ?? ''},${older}`,
    };

    const { code, stdout, stderr } = await admin(ring, 'keys', 'rotate');
    expect(code, stderr).to.equal(1);
    expect(stdout).to.match(/^Resealed [1-9]\d* secrets with key t2\.$/m);
    expect(stdout).to.include(
      `Cannot open the signing secret of ${id}: SECRET_KEY t0 is not the key that sealed it.`,
    );
    expect(stdout)
      .to.match(/^Keys that are still needed: t0\./m)
      .and.match(/^Keys that are no longer needed: t1$/m);
  });

  it('H285: keys replace-lost gives an account new secrets and removes those that no key opens', async () => {
    const other = await createTenant(service);
    const whole = await createEndpoint(other.rest, { url: receiver.url('/whole') });
    const lost = await createEndpoint(other.rest, { url: receiver.url('/lost') });
    const half = await createEndpoint(other.rest, { url: receiver.url('/half') });
    await other.rest.post(`${endpointsPath}/${half.id}/secret-rotations`);

    // What another key sealed: all secrets of one endpoint, the older one of another.
    await service.database.query(
      `update endpoint_secret set key_id = 't0'
        where endpoint_id = $1 or endpoint_id = $2 and expires_at is not null`,
      [lost.id, half.id],
    );

    const ring = { ...environment, SECRET_KEY: next };
    const replace = ['keys', 'replace-lost', '--account', other.account];
    const result = (await adminJson(ring, replace)) as {
      replaced: { id: string; url: string; signingSecret: string }[];
      removed: number;
    };

    expect(result.removed).to.equal(2);
    expect(result.replaced.map(({ id, url }) => ({ id, url }))).to.eql([
      { id: lost.id, url: receiver.url('/lost') },
    ]);

    const { code, stdout } = await admin(ring, ...replace);
    expect(code).to.equal(0);
    expect(stdout).to.equal(
      `SECRET_KEY opens every secret of ${other.account}, and all headers.\n`,
    );

    await work(next);

    const event = await other.publish({});

    for (const [path, secret] of [
      ['/whole', whole.signing_secret],
      ['/lost', result.replaced[0]?.signingSecret ?? ''],
    ] as const) {
      const request = await receiver.next(
        (received) => received.path === path && received.headers['webhook-id'] === event,
      );
      expect(verify(request, secret), path).to.eql({ service: true, standard: true });
    }

    const entries = await service.database.query<{ action: string }>(
      `select action from audit_entry where resource_id = $1 and action = 'signing_secret_rotated'`,
      [lost.id],
    );

    expect(entries).to.have.lengthOf(1);
    expect((await admin(ring, 'keys', 'replace-lost', '--account', 'acc_unknown')).code).to.equal(
      1,
    );
  });
});
