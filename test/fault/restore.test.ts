import { expect } from 'chai';
import { answer } from '../support/behaviours.js';
import { type Backup, type Cluster, startCluster } from '../support/cluster.js';
import { makeDue, recordedAs, recordsOf } from '../support/delivery-records.js';
import { createEndpoint, endpointsPath } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import type { PostgresServer } from '../support/postgres.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';
import { createTenant, callGraphql } from '../support/tenants.js';
import { mkdtempSync, readFileSync, rmSync, existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateAll } from '../../src/process/migrate-all.js';
import { admin } from '../support/admin.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { repositoryRoot } from '../support/repository.js';
import { RestClient } from '../support/rest-client.js';
import { sampleOf } from '../support/random.js';
import { SseClient } from '../support/event-stream.js';
import { spawnSync } from 'node:child_process';

describe('a restore to an earlier moment', function () {
  let cluster: Cluster;
  let backup: Backup;
  let restored: PostgresServer | undefined;
  let service: Service;
  let receiver: Receiver;

  before(async () => {
    cluster = await startCluster({ durable: true });
    backup = await cluster.backUp();
    receiver = await startReceiver();
    service = await startService({ cluster });
  });

  after(async () => {
    await service.stop();
    await receiver.close();
    await restored?.stop();
    await cluster.stop();
  });

  /** The events that arrive, as often as they do. */
  const arrived: string[] = [];
  const arrives = async (event: string) => {
    while (arrived.at(-1) !== event)
      arrived.push((await receiver.next()).headers['webhook-id'] ?? '');
  };

  it('H208: sends again what was delivered since the restored moment, and knows no event published since', async () => {
    const tenant = await createTenant(service);
    const { id: endpoint } = await createEndpoint(tenant.rest, { url: receiver.url('/hook') });
    const delivered = await tenant.publish({ key: 'before' });
    await arrives(delivered);
    await recordedAs(tenant.rest, delivered, ['success']);
    receiver.script(answer(503, { 'retry-after': '3600' }));

    const failed = await tenant.publish({});
    await arrives(failed);
    await recordedAs(tenant.rest, failed, ['failed']);

    const [{ moment } = { moment: '' }] = await service.database.query<{ moment: string }>(
      'select clock_timestamp()::text as moment',
    );

    await makeDue(service, failed);
    await arrives(failed);
    await recordedAs(tenant.rest, failed, ['failed', 'success']);

    const later = await tenant.publish({ key: 'after' });
    await arrives(later);
    await recordedAs(tenant.rest, later, ['success']);

    restored = await backup.restoreTo(moment);

    await eventually(async () => {
      const [row] = await service.database.query('select pg_is_in_recovery() as recovering');
      expect(row).to.deep.equal({ recovering: false });
      expect(await recordsOf(tenant.rest, later)).to.deep.equal([]);
      expect(await tenant.publish({ key: 'before' })).to.equal(delivered);
    }, 'the service uses the restored database');

    const { status } = await tenant.rest.get(`${endpointsPath}/${endpoint}`);
    expect(status).to.equal(200);
    await recordedAs(tenant.rest, failed, ['failed']);
    await makeDue(service, failed);
    await arrives(failed);
    await recordedAs(tenant.rest, failed, ['failed', 'success']);

    const again = await tenant.publish({ key: 'after' });
    await arrives(again);
    expect(again).not.to.equal(later);
    expect(arrived).to.deep.equal([delivered, failed, failed, later, failed, again]);
  });
});

const type = 'cart.order.completed';

const mutation = 'mutation ($input: PublishEventInput!) { publishEvent(input: $input) { id } }';

/** What operators run after `pg_restore`, as they read it. */
function documentedStatements(): string {
  const text = readFileSync(join(repositoryRoot, 'docs', 'running.md'), 'utf8');
  const [, statements] = /^ *```sql\n((?: *update \w+ set xid .*\n)+) *```$/m.exec(text) ?? [];
  if (statements === undefined) throw new Error('docs/running.md has no statements on xid');
  return statements;
}

const debian = '/usr/lib/postgresql';

/** The folder of a PostgreSQL that has `pg_dump` beside its server; the npm package has none. */
const dumpPrograms: string | undefined = [
  process.env['TEST_POSTGRES_BIN'] ?? '',
  ...(existsSync(debian) ? readdirSync(debian) : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(debian, version, 'bin')),
  '/usr/local/bin',
  '/usr/bin',
].find((folder) =>
  ['initdb', 'pg_dump', 'pg_restore'].every((name) => existsSync(join(folder, name))),
);

describe('a dump restored into an empty database', function () {
  if (dumpPrograms === undefined) {
    it('needs a PostgreSQL that has pg_dump, such as that of Debian');
    return;
  }

  const bin = dumpPrograms;
  const folder = mkdtempSync(join(tmpdir(), 'signalpost-dump-'));
  const clusters: Cluster[] = [];
  let database: TestDatabase;
  let receiver: Receiver;
  const services: Service[] = [];

  before(async () => {
    receiver = await startReceiver();
    for (let number = 1; number <= 2; number += 1) clusters.push(await startCluster({ bin }));
    services.push(await startService({ cluster: clusters[0] as Cluster }));
    database = await createTestDatabase(clusters[1], '', 'template1');
  });

  after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    if (services.length > 0) {
      await database.drop();
      await receiver.close();
    }
    await Promise.all(clusters.map((started) => started.stop()));
    rmSync(folder, { recursive: true });
  });

  it('H208: loses nothing that was acknowledged before the dump, and sends again what was delivered since', async () => {
    const [before] = services as [Service];
    const tenant = await createTenant(before);
    const { token } = await tenant.credential({ kind: 'live' });
    const { token: internal } = await tenant.credential({ kind: 'internal' });
    const publish = async (service: Service, key: string) => {
      const input = { account: tenant.account, type, subject: 'order:ord_1' };
      const { publishEvent } = await callGraphql<{ publishEvent: { id: string } }>(
        service,
        internal,
        mutation,
        { input: { ...input, data: sampleOf(type), key } },
      );
      return publishEvent.id;
    };

    await createEndpoint(tenant.rest, { url: receiver.url('/hook') });

    const delivered = await publish(before, 'delivered');
    await recordedAs(tenant.rest, delivered, ['success']);
    receiver.script(answer(503, { 'retry-after': '3600' }));

    const failed = await publish(before, 'failed');
    await recordedAs(tenant.rest, failed, ['failed']);
    await before.workers[0]?.end();

    const waiting = await publish(before, 'waiting');

    // A cluster that has run for long has used more transaction ids than the one that is restored.
    await before.database.query(
      `do $$ begin for i in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$`,
    );

    const latest = await publish(before, 'latest');

    const file = join(folder, 'signalpost.dump');
    const search = { PATH: `${bin}:${process.env['PATH']}` };
    const dumped = await admin({ ...before.environment, ...search }, 'backup', '--output', file);
    expect(dumped.code, dumped.stderr).to.equal(0);

    await before.startWorker();
    for (const event of [waiting, latest]) await recordedAs(tenant.rest, event, ['success']);
    await makeDue(before, failed);
    await recordedAs(tenant.rest, failed, ['failed', 'success']);

    const later = await publish(before, 'later');
    await recordedAs(tenant.rest, later, ['success']);
    await before.workers[1]?.end();
    await before.api.end();

    const options = ['--no-owner', '--single-transaction', '--exit-on-error'];
    restoreDump([...options, `--dbname=${database.url}`, file]);
    await database.query(documentedStatements());
    expect(await migrateAll(database.url)).to.deep.equal([]);

    const after = await startService({ database });
    services.push(after);

    const rest = new RestClient(after.url, token);
    for (const event of [waiting, latest]) await recordedAs(rest, event, ['success']);
    await recordedAs(rest, failed, ['failed']);
    await makeDue(after, failed);
    await recordedAs(rest, failed, ['failed', 'success']);
    expect(await recordsOf(rest, later)).to.deep.equal([]);
    expect(await publish(after, 'delivered')).to.equal(delivered);

    const again = await publish(after, 'later');
    await recordedAs(rest, again, ['success']);
    expect(again).not.to.equal(later);

    const kept = [delivered, failed, waiting, latest];
    const arrived = receiver.requests.map(({ headers }) => headers['webhook-id']);
    const times = (event: string) => arrived.filter((id) => id === event).length;
    expect(kept.map(times)).to.deep.equal([1, 3, 2, 2]);
    expect([later, again].map(times)).to.deep.equal([1, 1]);

    const stream = await SseClient.open(after.url, { token, query: '?kinds=event&since=1h' });
    await stream.joined();
    expect(stream.ids('event')).to.have.members([...kept, again]);
    stream.close();
  });
});

/** Runs `pg_restore` as an operator does. @throws Error with what it wrote when it fails */
function restoreDump(args: readonly string[]): void {
  const program = join(dumpPrograms ?? '', 'pg_restore');
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`pg_restore failed: ${stderr}`);
}
