import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answer } from '../support/behaviours.js';
import { createCheckout, payCheckout } from '../support/sales.js';
import { recordedAs } from '../support/delivery-records.js';
import type { DumpedFacts } from '../support/upgrade.js';
import { createEndpoint, endpointInput, endpointsPath } from '../support/endpoints.js';
import { startReceiver } from '../support/receiver.js';
import { repositoryRoot } from '../support/repository.js';
import { startService } from '../support/service.js';
import { stopEverything } from '../support/teardown.js';
import { createTenant } from '../support/tenants.js';

// npm run dump: keeps the database of this version for the tests of later ones. See README.md here.

const pending = 20;
const bin = process.env['TEST_POSTGRES_BIN'];
if (bin === undefined) throw new Error('Set TEST_POSTGRES_BIN to the programs of PostgreSQL 15.');

const receiver = await startReceiver();
const service = await startService();
try {
  const tenant = await createTenant(service);
  const { token } = await tenant.credential({ kind: 'live' });
  const { token: internal } = await tenant.credential({ kind: 'internal' });
  const endpoints = [];
  for (const path of ['/one', '/two']) {
    const endpoint = await createEndpoint(tenant.rest, { url: receiver.url(path) });
    endpoints.push({ id: endpoint.id, path, secret: endpoint.signing_secret });
  }
  const delivered = await tenant.publish({ key: 'delivered' });
  await recordedAs(tenant.rest, delivered, ['success', 'success']);
  receiver.always(answer(500));
  const failed = await tenant.publish({ key: 'failed' });
  await recordedAs(tenant.rest, failed, ['failed', 'failed']);
  await Promise.all(service.workers.map((worker) => worker.end()));
  const waiting = [failed];
  for (let number = 1; number <= pending; number += 1)
    waiting.push(await tenant.publish({ key: `pending-${number}` }));
  await payCheckout(tenant, await createCheckout(tenant));
  const idempotent = {
    key: 'endpoint of the dump',
    body: endpointInput({ url: receiver.url('/three'), active: false }),
  };
  const create = () => tenant.rest.post(endpointsPath, idempotent.body, { key: idempotent.key });
  await create();
  // Only the first response has the secret.
  const reply = await create();
  const facts: DumpedFacts = {
    account: tenant.account,
    token,
    internal,
    endpoints,
    pending: waiting,
    idempotent: { ...idempotent, status: reply.status, response: reply.body },
    publishKey: { key: 'delivered', event: delivered },
  };
  await service.api.end();
  // `migrate` makes the partitions of the present; those of the coming weeks are empty.
  const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const partitions = await service.database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
      where inhparent in ('event'::regclass, 'delivery'::regclass, 'delivery_evidence'::regclass)
        and right(inhrelid::regclass::text, 8) > $1`,
    [nextWeek.replaceAll('-', '')],
  );
  for (const { name } of partitions) await service.database.query(`drop table ${name}`);
  const options = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges'];
  const dumped = spawnSync(join(bin, 'pg_dump'), [...options, service.database.url], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (dumped.status !== 0) throw new Error(dumped.stderr);
  // Commands of psql, which newer versions of pg_dump write.
  const sql = dumped.stdout
    .replace(/^\\.*\n/gm, '')
    .replace(/^--.*\n/gm, '')
    .replace(/\n{3,}/g, '\n\n');
  const files = readdirSync(join(repositoryRoot, 'src', 'database', 'migrations'));
  const number =
    files
      .filter((name) => /^\d{4}-/.test(name))
      .sort()
      .at(-1)
      ?.slice(0, 4) ?? '';
  const folder = join(repositoryRoot, 'test', 'dumps');
  writeFileSync(join(folder, `${number}.sql`), sql);
  writeFileSync(join(folder, `${number}.json`), `${JSON.stringify(facts, undefined, 2)}\n`);
  process.stdout.write(`wrote test/dumps/${number}.sql and .json\n`);
} finally {
  await service.stop();
  await receiver.close();
  await stopEverything();
}
