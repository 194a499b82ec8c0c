import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { repositoryRoot } from '../support/repository.js';

describe('migrations', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  /** The statements that would make the database what the entities describe. */
  const missing = () =>
    withDataSource(async ({ driver }) => {
      const { upQueries } = await driver.createSchemaBuilder().log();
      return upQueries.map(({ query }) => query);
    });

  const describedTables = () =>
    withDataSource(({ entityMetadatas }) => entityMetadatas.map(({ tableName }) => tableName));

  async function withDataSource<T>(work: (source: DataSource) => T | Promise<T>): Promise<T> {
    const source = createDataSource({ url: test.url, pool: 1, applicationName: 'signalpost-test' });
    await source.initialize();
    try {
      return await work(source);
    } finally {
      await source.destroy();
    }
  }

  it('migrations create exactly the schema that the entities describe', async () => {
    expect(await missing()).to.deep.equal([]);
  });

  it('migrations create no other tables, which would not be compared', async () => {
    const tables = await test.query<{ name: string }>(
      `select relname as name from pg_class
        where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
    );
    const described = new Set(await describedTables());
    const others = tables.map(({ name }) => name).filter((name) => !described.has(name));
    // TypeORM lists its migrations. It has no entities without a primary key, and a delta has none:
    // recording only appends deltas. The tests of statistics write and fold them.
    expect(others).to.have.members(['migration', 'delivery_statistics_delta']);
  });

  it('the comparison sees a column too many, a column too few and another type', async () => {
    await test.query('alter table account add column nickname text');
    await test.query('alter table member drop column email cascade');
    await test.query('alter table notice alter column resource_id type varchar(40)');
    const statements = (await missing()).join('\n');
    expect(statements).to.include('"account" DROP COLUMN "nickname"');
    expect(statements).to.include('"member" ADD "email"');
    expect(statements).to.match(/"notice".*"resource_id"/);
  });

  // TypeORM compares neither the text of a check or of an index's condition, nor storage parameters.
  it('the comparison sees differences in the tables of the engine, partitioned ones too', async () => {
    await test.query('alter table event add column nickname text');
    await test.query('alter table event drop constraint event_body_check');
    await test.query('drop index delivery_by_event, lease_until');
    await test.query('alter table delivery drop column duration_ms');
    await test.query('alter table pending_delivery alter column lane type text');
    await test.query('alter table publish_key drop column event_id');
    await test.query('alter table isolation_lock drop column holder');
    await test.query('alter table schema_compatibility drop column oldest');

    const statements = (await missing()).join('\n');

    for (const statement of [
      '"event" DROP COLUMN "nickname"',
      '"event" ADD CONSTRAINT "event_body_check"',
      'CREATE INDEX "delivery_by_event"',
      'CREATE INDEX "lease_until"',
      '"delivery" ADD "duration_ms"',
      '"pending_delivery" ALTER COLUMN "lane" TYPE text COLLATE "C"',
      '"publish_key" ADD "event_id"',
      '"isolation_lock" ADD "holder"',
      '"schema_compatibility" ADD "oldest"',
    ]) {
      expect(statements).to.include(statement);
    }
  });
});

/** Tables that grow with every request, every attempt, every customer or every change. */
const large = [
  'pending_delivery',
  'checkout',
  'delivery',
  'event',
  'invoice',
  'notice',
  '"?order"?',
  'payment',
  'publish_key',
  'refund',
  'idempotency_record',
  'account',
  'endpoint',
  'member',
  'credential',
  'sign_in_link',
  'audit_entry',
];

/** Statements that keep others from one of `tables` while PostgreSQL reads all of it. */
function slowStatements(tables: readonly string[]): Readonly<Record<string, RegExp>> {
  const any = `(?:${tables.join('|')})\\b`;
  return {
    'an index that is not built concurrently': new RegExp(
      `create (?:unique )?index (?!concurrently)(?:if not exists )?\\w* ?on ${any}`,
      'i',
    ),
    'a constraint that is not added as not valid': new RegExp(
      `alter table ${any}(?:(?!not valid|using index)[^\`;])*add constraint(?:(?!not valid|using index)[^\`;])*\``,
      'i',
    ),
    'a column whose type changes, or that must not be null': new RegExp(
      `alter table ${any}[^\`;]*alter column \\w+ (?:type|set not null)`,
      'i',
    ),
  };
}

const isBaseline = (name: string) => name.startsWith('0001-');

describe('migrations beside running processes', () => {
  const folder = join(repositoryRoot, 'src', 'database', 'migrations');
  // The baseline creates its tables: they are empty, and no process uses them yet.
  const files = readdirSync(folder).filter(
    (name) => /^\d{4}-.*\.ts$/.test(name) && !isBaseline(name),
  );
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const slowIn = (text: string) => {
    // What a migration creates is empty.
    const created = [...text.matchAll(/create table (?:if not exists )?(\w+)/g)].map(
      ([, table]) => table,
    );
    const tables = large.filter((table) => !created.includes(table));
    return Object.entries(slowStatements(tables))
      .filter(([, pattern]) => pattern.test(text))
      .map(([what]) => what);
  };

  const setsOwnWait = (text: string) => /lock_timeout|lock table/i.test(text);
  const isUnbounded = (text: string) => {
    const statements = text.match(/`(?:create|drop) [^`]*concurrently/g) ?? [];
    const bounded = text.match(/concurrently\(\s*runner,\s*`/g) ?? [];
    return statements.length > bounded.length;
  };

  it('a migration waits for locks as long as its operator allows', () => {
    expect(files.filter((name) => setsOwnWait(read(name)))).to.deep.equal([]);
    expect(files.filter((name) => isUnbounded(read(name)))).to.deep.equal([]);
  });

  it('the test sees a migration that waits for longer', () => {
    expect(setsOwnWait("`set local lock_timeout = '1h'`")).to.equal(true);
    expect(setsOwnWait('`lock table account`')).to.equal(true);
    expect(
      isUnbounded('runner.query(`create index concurrently x on pending_delivery (id)`)'),
    ).to.equal(true);
    expect(isUnbounded('concurrently(runner, `drop index concurrently x`)')).to.equal(false);
  });

  it('no migration blocks sessions from a large table while PostgreSQL reads all of it', () => {
    const found = files.flatMap((name) => {
      // What takes a migration back is run by hand, and says so.
      const up = read(name).replace(/^ {2}async down\(.*?^ {2}\}$/ms, '');
      return slowIn(up).map((what) => `${name}: ${what}`);
    });
    expect(found).to.deep.equal([]);
  });

  it('the test sees a migration that blocks others from a large table', () => {
    expect(slowIn('`create index pending_x on pending_delivery (id)`')).to.have.lengthOf(1);
    expect(slowIn('`create index concurrently x on pending_delivery (id)`')).to.have.lengthOf(0);
    expect(slowIn('`alter table offer add constraint x check (true)`')).to.have.lengthOf(0);
    expect(slowIn('`alter table event add constraint x check (true)`')).to.have.lengthOf(1);
    expect(slowIn('`create index x on account (name)`')).to.have.lengthOf(1);
    expect(slowIn('`create index x on sign_in_link (member_id)`')).to.have.lengthOf(1);
    expect(slowIn('`create index x on member (email)`')).to.have.lengthOf(1);
    expect(slowIn("'create index if not exists x on endpoint (xid)'")).to.have.lengthOf(1);
    expect(
      slowIn('`create table refund (id text)`, `create index x on refund (id)`'),
    ).to.have.lengthOf(0);
    expect(slowIn('`alter table event add constraint x check (true) not valid`')).to.have.lengthOf(
      0,
    );
    expect(slowIn('`alter table pending_delivery alter column id set not null`')).to.have.lengthOf(
      1,
    );
  });
});
