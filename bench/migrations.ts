import pg from 'pg';
import { migrations } from '../src/database/generated/migrations.js';
import { createDataSource } from '../src/database/data-source.js';
import { lockWaitMs, retryLocked } from '../src/database/retry-locked.js';
import { makeId, smallestId } from '../src/domain/id.js';
import { startCluster } from '../test/support/cluster.js';
import { bodyOf } from './due-deliveries.js';

/** One migration on full tables, beside sessions that write. */
export interface MigrationFigures {
  readonly name: string;
  readonly seconds: number;
  /** What others wrote meanwhile, and the longest that one of them waited. */
  readonly writes: number;
  readonly longestMs: number;
}

/** A longer wait of a write breaks the promise about upgrades. */
const mostWaitMs = 1_000;

/** Names each migration beside which a write waited for longer. Then the process exits with 1. */
export function reportSlow(
  figures: readonly MigrationFigures[],
  progress: (line: string) => void,
): void {
  for (const { name, longestMs } of figures.filter((each) => each.longestMs > mostWaitMs)) {
    progress(
      `FAILED: a write beside ${name} took ${Math.round(longestMs)} ms, more than ${mostWaitMs}`,
    );
    process.exitCode = 1;
  }
}

const account = makeId('acc', new Date());
const endpoint = makeId('whs', new Date());
const writers = 4;
const fillBatch = 50_000;
const body = bodyOf(1_024);

/** The schema of the first migration; later ones only add to it. */
const insertEvents = `
  insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
  select i.id, $2, 'cart.abandoned', 'v1', 'order:1', false, $3, now(), now() from unnest($1::text[]) i (id)`;
const insertPending = `
  insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, lane, ready, due_at,
                                attempt, max_attempts, test, created_at)
  select replace(i.id, 'evt_', 'pdl_'), $2, $3, i.id, 'cart.abandoned', 'live', false,
         now() + interval '1 day', 1, 10, false, now() from unnest($1::text[]) i (id)`;
const insertRecords = `
  insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                        event_version, attempt, max_attempts, status, test, failure_reason,
                        duration_ms, created_at)
  select replace(i.id, 'evt_', 'whd_'), $2, $3, replace(i.id, 'evt_', 'pdl_'), i.id, 'cart.abandoned',
         'v1', 1, 10, 'failed', false, 'timeout', 100, now() from unnest($1::text[]) i (id)`;
/** Tables of customers and mails, a tenth of the rows each: they grow with accounts, not with attempts. */
const insertOthers = [
  `insert into endpoint (id, account_id, url, active, notification_email, event_types, created_at, updated_at)
   select replace(i.id, 'evt_', 'whs_'), $2, 'https://hooks.example/', true, 'a@hooks.example',
          '{cart.abandoned}', now(), now() from unnest($1::text[]) i (id)`,
  `insert into member (id, account_id, email, role, created_at)
   select replace(i.id, 'evt_', 'mem_'), $2, i.id || '@hooks.example', 'viewer', now()
     from unnest($1::text[]) i (id)`,
  `insert into credential (id, account_id, member_id, kind, level, token_sha256, last4, created_at)
   select replace(i.id, 'evt_', 'crd_'), $2, replace(i.id, 'evt_', 'mem_'), 'live', 'read',
          sha256(convert_to(i.id, 'UTF8')), 'abcd', now() from unnest($1::text[]) i (id)`,
  `insert into notice (id, account_id, kind, resource_id, data, recipient, message_id, created_at, due_at,
                       sent_at)
   select replace(i.id, 'evt_', 'ntc_'), $2, 'endpoint_disabled', i.id, '{}', 'a@hooks.example', i.id, now(),
          now(), now() from unnest($1::text[]) i (id)`,
];
const changeEndpoint = 'update endpoint set failure_count = failure_count + 1 where id = $1';

/**
 * Applies each migration after the first to tables with `rows` events, records and pending deliveries, and
 * a tenth as many endpoints, members, keys and notices, while others write.
 */
export async function benchMigrations(
  rows: number,
  progress: (line: string) => void,
): Promise<MigrationFigures[]> {
  const cluster = await startCluster({ durable: true });
  const url = cluster.url('postgres');
  const pool = new pg.Pool({ connectionString: url, max: writers + 1 });
  // Connections end with the server.
  pool.on('error', () => undefined);
  try {
    await apply(url, 1);
    // One for all rows: the most that an index of a partition ever covers.
    for (const table of ['event', 'delivery'])
      await pool.query(
        `create table ${table}_all partition of ${table} for values from (minvalue) to (maxvalue)`,
      );
    await fill(pool, rows);
    progress(`${rows.toLocaleString('en')} events, records and pending deliveries`);
    const figures: MigrationFigures[] = [];
    for (let count = 2; count <= migrations.length; count += 1) {
      const name = migrations[count - 1]?.name ?? '';
      const startedAt = performance.now();
      const measured = await besideWriters(pool, () => apply(url, count));
      figures.push({ name, seconds: (performance.now() - startedAt) / 1_000, ...measured });
      progress(name);
    }
    return figures;
  } finally {
    await pool.end();
    await cluster.stop();
  }
}

/** Applies the first `count` migrations, as `migrate` does with all of them. */
function apply(url: string, count: number): Promise<void> {
  const applicationName = 'signalpost-migrate';
  return retryLocked(url, applicationName, async () => {
    const dataSource = await createDataSource({
      ...{ url, pool: 2, applicationName, statementTimeoutMs: 0, lockTimeoutMs: lockWaitMs },
      migrations: migrations.slice(0, count),
    }).initialize();
    await dataSource.runMigrations().finally(() => dataSource.destroy());
  });
}

async function fill(pool: pg.Pool, rows: number): Promise<void> {
  await pool.query(`insert into account (id, name, created_at) values ($1, 'Shop', now())`, [
    account,
  ]);
  await pool.query(
    `insert into endpoint (id, account_id, url, active, notification_email, event_types, created_at,
                           updated_at)
     values ($1, $2, 'https://hooks.example/', true, 'a@hooks.example', '{cart.abandoned}', now(), now())`,
    [endpoint, account],
  );
  const first = smallestId('evt', new Date()).slice(0, 12);
  for (let done = 0; done < rows; done += fillBatch) {
    const ids = Array.from(
      { length: Math.min(fillBatch, rows - done) },
      (_each, place) => `${first}${String(done + place).padStart(16, '0')}`,
    );
    await write(pool, ids);
    const others = ids.filter((_id, place) => place % 10 === 0);
    for (const statement of insertOthers) await pool.query(statement, [others, account]);
  }
  await pool.query('vacuum analyze');
}

async function write(client: pg.Pool | pg.PoolClient, ids: readonly string[]): Promise<void> {
  await client.query(insertEvents, [ids, account, body]);
  await client.query(insertPending, [ids, account, endpoint]);
  await client.query(insertRecords, [ids, account, endpoint]);
}

/** Runs `work` while sessions publish, record and change an endpoint, one after the other each. */
async function besideWriters(
  pool: pg.Pool,
  work: () => Promise<unknown>,
): Promise<Pick<MigrationFigures, 'writes' | 'longestMs'>> {
  let [writes, longestMs, ended] = [0, 0, false];
  const writing = Array.from({ length: writers }, async () => {
    while (!ended) {
      const startedAt = performance.now();
      await write(pool, [makeId('evt', new Date())]);
      await pool.query(changeEndpoint, [endpoint]);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      writes += 1;
    }
  });
  try {
    await work();
  } finally {
    ended = true;
    await Promise.all(writing);
  }
  return { writes, longestMs };
}
