import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type pg from 'pg';
import { parseAllDocuments } from 'yaml';
import { DatabaseClient } from '../../../src/database/connection.js';
import { createAccount } from '../../../src/domain/account/accounts.js';
import { makeId } from '../../../src/domain/values/id.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { repositoryRoot } from '../../support/repository.js';

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly rawSql?: string }[];
}

interface ScaledObject {
  readonly triggers: readonly { readonly metadata: { readonly query: string } }[];
}

const folder = join(repositoryRoot, 'deploy', 'monitoring', 'dashboards');
const dashboards = readdirSync(folder).map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const { panels, templating } = JSON.parse(text) as {
    panels: readonly Panel[];
    templating: { list: readonly { name: string; query: string }[] };
  };

  const queries = templating.list.filter(({ query }) => query.startsWith('select '));

  return {
    file,
    statements: [
      ...panels.flatMap(({ title, targets }) =>
        targets.flatMap(({ rawSql }) => (rawSql === undefined ? [] : { title, sql: rawSql })),
      ),
      ...queries.map(({ name, query }) => ({ title: `variable ${name}`, sql: query })),
    ],
  };
});

// The role is that of docs/operations.md.
describe('dashboards of Grafana that ask PostgreSQL', () => {
  const role = `reader_${randomBytes(6).toString('hex')}`;
  const startsAt = new Date('2026-01-05T10:00:00Z');
  let test: TestDatabase;
  let client: pg.Client;
  let account: string;
  let endpoint: string;

  before(async () => {
    test = await createTestDatabase();

    const { transact } = await test.open();
    account = (await transact((tx) => createAccount(tx, { name: 'Shop' }))).id;
    endpoint = makeId('whs', new Date());

    await test.query(
      `insert into endpoint (id, account_id, url, active, notification_email, event_types,
                             created_at, updated_at)
       values ($1, $2, 'https://hooks.example/', true, 'a@hooks.example', '{cart.abandoned}',
               now(), now())`,
      [endpoint, account],
    );

    const ids = (['whd', 'pdl', 'evt'] as const).map((prefix) => makeId(prefix, new Date()));

    await test.query(
      `insert into delivery (id, pending_delivery_id, event_id, account_id, endpoint_id, event_type,
                             event_version, attempt, max_attempts, status, test, failure_reason,
                             created_at)
       values ($1, $2, $3, $4, $5, 'cart.abandoned', 'v1', 1, 10, 'failed', false, 'timeout', now())`,
      [...ids, account, endpoint],
    );

    // 90 of 100 took about 100 ms, the others about 1,000 ms.
    for (const id of ['', endpoint])
      await test.query(
        `insert into delivery_statistics
         values ($1, $2, 'hour', $3, 98, 1, 1, 2, '{48, 72}', '{90, 10}')`,
        [account, id, startsAt],
      );

    await test.query(`create role ${role}`);
    await test.query(`grant pg_read_all_data to ${role}`);
    client = new DatabaseClient({ connectionString: test.url });
    await client.connect();
    await client.query(`set role ${role}`);
    await client.query('set default_transaction_read_only = on');
  });

  after(async () => {
    await client.end();
    await test.query(`drop role ${role}`);
    await test.drop();
  });

  /** Runs SQL with the values that Grafana fills in. */
  const run = (sql: string) =>
    client.query<Record<string, unknown>>(
      sql
        .replace(/\$__timeFilter\(([\w.]+)\)/g, `$1 between '2026-01-01' and '2027-01-01'`)
        .replaceAll('${account:sqlstring}', `'${account}'`)
        .replaceAll('${endpoint:sqlstring}', `'${endpoint}'`),
    );

  it('the reading role may run every statement of the dashboards', async () => {
    const all = dashboards.flatMap(({ statements }) => statements);
    expect(all).to.have.length.above(10);
    for (const { title, sql } of all) {
      const { fields } = await run(sql);
      expect(fields, title).to.not.be.empty;
    }
    const written = await run('delete from account').catch((error: unknown) => error);
    expect(String(written)).to.match(/read-only|permission denied/);
  });

  for (const file of ['account.json', 'endpoint.json']) {
    it(`${file} shows outcomes, latency and failures`, async () => {
      const { statements = [] } = dashboards.find((dashboard) => dashboard.file === file) ?? {};
      const rowsOf = async (title: string) => {
        const statement = statements.find((candidate) => candidate.title === title);
        return (await run(statement?.sql ?? '')).rows;
      };
      expect(await rowsOf('Attempts by outcome and hour')).to.deep.equal([
        { time: startsAt, success: 98, failed: 1, abandoned: 1 },
      ]);
      const [latency = {}] = await rowsOf('Duration of attempts by hour');
      expect(Number(latency['p50'])).to.be.within(95, 105);
      expect(Number(latency['p99'])).to.be.within(950, 1_050);
      expect(await rowsOf('Last failed attempts')).to.not.be.empty;
    });
  }

  it('the queries of KEDA in the chart count what is due, and how late it is', async () => {
    const text = readFileSync(join(repositoryRoot, 'deploy', 'helm', 'example.yaml'), 'utf8');
    const queries = parseAllDocuments(text).flatMap((document) => {
      const { kind, spec } = document.toJS() as { kind: string; spec: ScaledObject };
      return kind === 'ScaledObject' ? spec.triggers.map(({ metadata }) => metadata.query) : [];
    });

    const values = async () => {
      const all = [];
      for (const query of queries) {
        const { rows } = await run(query);
        expect(rows).to.have.lengthOf(1);
        all.push(Number(Object.values(rows[0] ?? {})[0]));
      }
      return all;
    };

    expect(await values()).to.deep.equal([0, 0]);

    const ids = [makeId('pdl', new Date()), makeId('evt', new Date())];

    await test.query(
      `insert into pending_delivery (id, event_id, account_id, endpoint_id, event_type, lane, ready,
                                     due_at, attempt, max_attempts, test, created_at)
       values ($1, $2, $3, $4, 'cart.abandoned', 'live', true, now() - interval '1 hour', 1, 10,
               false, now())`,
      [...ids, account, endpoint],
    );

    const [count, late] = await values();
    expect(count).to.equal(1);
    expect(late).to.be.within(3_600, 4_200);
  });
});
