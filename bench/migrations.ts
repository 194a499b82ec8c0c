import pg from 'pg';
import { migrations } from '../src/database/generated/migrations.js';
import { createDataSource } from '../src/database/data-source.js';
import { lockWaitMs, retryLocked } from '../src/database/migrate.js';
import { startCluster } from '../test/support/cluster.js';
import { makeId, smallestId } from '../src/domain/values/id.js';
import { bodyOf } from './fixtures.js';

/** One migration on full tables, beside sessions that write. */
export interface MigrationFigures {
  readonly name: string;
  readonly seconds: number;
  /** What others wrote meanwhile, and the longest that one of them took, in which table. */
  readonly writes: number;
  readonly longestMs: number;
  readonly longestIn: string;
}

/** A longer wait of a write breaks the promise about upgrades. */
const mostWaitMs = 1_000;

/** Names each migration beside which a write waited for longer. Then the process exits with 1. */
export function reportSlow(
  figures: readonly MigrationFigures[],
  progress: (line: string) => void,
): void {
  for (const { name, longestMs, longestIn } of figures.filter(
    (figure) => figure.longestMs > mostWaitMs,
  )) {
    progress(
      `FAILED: a write to ${longestIn} beside ${name} took ${Math.round(longestMs)} ms, more than ${mostWaitMs}`,
    );
    process.exitCode = 1;
  }
}

const writers = 4;

/**
 * Applies each migration after the first while others write. Every table that it changes has `rows` rows,
 * but for tables that stay small: event types and heartbeats of workers.
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

    const tables = new MigrationRows(pool, rows);
    const size = `${rows.toLocaleString('en')} rows each`;

    await tables.fillFirst();
    progress(`first tables: ${size}`);

    const figures: MigrationFigures[] = [];
    for (let count = 2; count <= migrations.length; count += 1) {
      const name = migrations[count - 1]?.name ?? '';
      figures.push({ name, ...(await besideWriters(pool, tables, () => apply(url, count))) });
      progress(name);
      for (const table of await tables.fillLater()) progress(`${table}: ${size}`);
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
      url,
      pool: 2,
      applicationName,
      statementTimeoutMs: 0,
      lockTimeoutMs: lockWaitMs,
      migrations: migrations.slice(0, count),
    }).initialize();
    try {
      await dataSource.runMigrations();
    } finally {
      await dataSource.destroy();
    }
  });
}

/** Runs `work` while sessions write to all full tables, one after the other each. */
async function besideWriters(
  pool: pg.Pool,
  tables: MigrationRows,
  work: () => Promise<unknown>,
): Promise<Omit<MigrationFigures, 'name'>> {
  let writes = 0;
  let longestMs = 0;
  let longestIn = '';
  let ended = false;
  const clients = await Promise.all(Array.from({ length: writers }, () => pool.connect()));
  try {
    // The first writes of a session also wait for the catalogue to be read. No migration causes that.
    await Promise.all(clients.map((client) => tables.write(client, () => undefined)));

    const startedAt = performance.now();
    const writing = clients.map(async (client) => {
      while (!ended) {
        await tables.write(client, (table, tookMs) => {
          writes += 1;
          if (tookMs > longestMs) {
            longestMs = tookMs;
            longestIn = table;
          }
        });
      }
    });
    try {
      await work();
    } finally {
      ended = true;
      await Promise.all(writing);
    }

    return { seconds: (performance.now() - startedAt) / 1_000, writes, longestMs, longestIn };
  } finally {
    for (const client of clients) client.release();
  }
}

const account = makeId('acc', new Date());
const endpoint = makeId('whs', new Date());
const body = bodyOf(1_024);
const fillBatch = 50_000;

/** How a row for each id of `$1` is made, in columns and values. The id of an event becomes that of the row. */
type Row = Readonly<Record<string, string>>;

const id = (prefix: string) => `replace(i.id, 'evt_', '${prefix}_')`;
const now = 'now()';
const ofAccount = { account_id: `'${account}'` };
const amounts = Object.fromEntries(
  ['subtotal', 'discount', 'shipping', 'tax', 'total'].map((part) => [
    `${part}_minor_units`,
    part === 'subtotal' || part === 'total' ? '100' : '0',
  ]),
);

/** Tables of the first migration, with its columns only: later migrations add to them. */
const first: Readonly<Record<string, Row>> = {
  event: {
    id: 'i.id',
    ...ofAccount,
    type: "'cart.abandoned'",
    version: "'v1'",
    subject: "'order:1'",
    test: 'false',
    body: `convert_to('${body}', 'UTF8')`,
    occurred_at: now,
    created_at: now,
  },
  pending_delivery: {
    id: id('pdl'),
    ...ofAccount,
    endpoint_id: `'${endpoint}'`,
    event_id: 'i.id',
    event_type: "'cart.abandoned'",
    lane: "'live'",
    ready: 'false',
    due_at: `${now} + interval '1 day'`,
    attempt: '1',
    max_attempts: '10',
    test: 'false',
    created_at: now,
  },
  delivery: {
    id: id('whd'),
    ...ofAccount,
    endpoint_id: `'${endpoint}'`,
    event_id: 'i.id',
    pending_delivery_id: id('pdl'),
    event_type: "'cart.abandoned'",
    event_version: "'v1'",
    attempt: '1',
    max_attempts: '10',
    status: "'failed'",
    test: 'false',
    failure_reason: "'timeout'",
    duration_ms: '100',
    created_at: now,
  },
  account: { id: id('acc'), name: `'Shop ' || right(i.id, 8)`, created_at: now },
  member: {
    id: id('mem'),
    ...ofAccount,
    email: `i.id || '@hooks.example'`,
    role: "'viewer'",
    created_at: now,
  },
  credential: {
    id: id('crd'),
    ...ofAccount,
    member_id: id('mem'),
    kind: "'live'",
    level: "'read'",
    token_sha256: `sha256(convert_to(i.id, 'UTF8'))`,
    last4: "'abcd'",
    created_at: now,
  },
  endpoint: {
    id: id('whs'),
    ...ofAccount,
    url: "'https://hooks.example/'",
    active: 'true',
    notification_email: "'a@hooks.example'",
    event_types: "'{cart.abandoned}'",
    created_at: now,
    updated_at: now,
  },
  notice: {
    id: id('ntc'),
    ...ofAccount,
    kind: "'endpoint_disabled'",
    resource_id: 'i.id',
    data: "'{}'",
    recipient: "'a@hooks.example'",
    message_id: 'i.id',
    created_at: now,
    due_at: now,
    sent_at: now,
  },
  checkout: {
    id: id('cks'),
    ...ofAccount,
    success_url: "'https://shop.example/'",
    cancel_url: "'https://shop.example/'",
    external_reference: 'i.id',
    buyer_email_locked: 'false',
    metadata: "'{}'",
    line_items: "'[]'",
    currency: "'EUR'",
    ...amounts,
    created_at: now,
    expires_at: now,
  },
};

/** Tables that a later migration makes and one after it changes. */
const later: Readonly<Record<string, Row>> = {
  recovery: {
    id: id('rec'),
    ...ofAccount,
    endpoint_id: id('whs'),
    what: "'failed'",
    since: now,
    until: now,
    include_before: 'false',
    rate_per_second: '1',
    idempotency_key: 'i.id',
    fingerprint: "''",
    status: "'completed'",
    position: "''",
    credited_at: now,
    next_step_at: now,
    created_at: now,
    updated_at: now,
    ended_at: now,
  },
  full_account: { account_id: id('acc'), pending: '1', since: now },
  erasure: {
    id: id('ers'),
    ...ofAccount,
    kind: "'buyer'",
    requested_by: "''",
    status: "'completed'",
    include_invoices: 'false',
    stage: "''",
    pass_started_at: now,
    found_in_pass: '0',
    counts: "'{}'",
    next_step_at: now,
    created_at: now,
    updated_at: now,
    completed_at: now,
  },
  sign_in_link: {
    id: id('sil'),
    ...ofAccount,
    member_id: id('mem'),
    created_at: now,
    expires_at: now,
    token_sha256: `sha256(convert_to(i.id, 'UTF8'))`,
  },
  audit_entry: {
    id: id('aud'),
    ...ofAccount,
    action: "'endpoint.updated'",
    resource_id: id('whs'),
    actor_kind: "'api_key'",
    credential_id: id('crd'),
    changes: "'{}'",
    created_at: now,
  },
};

const statements = Object.fromEntries(
  Object.entries({ ...first, ...later }).map(([table, row]) => [
    table,
    `insert into ${table} (${Object.keys(row).join(', ')})
     select ${Object.values(row).join(', ')} from unnest($1::text[]) i (id)`,
  ]),
);
const changeEndpoint = 'update endpoint set failure_count = failure_count + 1 where id = $1';

/** Rows of every table that a migration after the first changes, but for tables that stay small. */
class MigrationRows {
  readonly #pool: pg.Pool;
  readonly #rows: number;
  readonly #full: string[] = [];
  /** Of all tables, because rows refer to each other by their ids. */
  readonly #start = smallestId('evt', new Date()).slice(0, 12);

  constructor(pool: pg.Pool, rows: number) {
    this.#pool = pool;
    this.#rows = rows;
  }

  /** Fills those that the first migration makes. */
  async fillFirst(): Promise<void> {
    await this.#pool.query(
      `insert into account (id, name, created_at) values ($1, 'Shop', now())`,
      [account],
    );
    for (const table of Object.keys(first)) await this.#fill(table);
    await this.#pool.query(statements['endpoint'] ?? '', [[endpoint.replace('whs_', 'evt_')]]);
    await this.#pool.query('vacuum analyze');
  }

  /**
   * Fills those that migrations have made since.
   * @returns their names
   */
  async fillLater(): Promise<string[]> {
    const { rows } = await this.#pool.query<{ name: string }>(
      'select name from unnest($1::text[]) name where to_regclass(name) is not null',
      [Object.keys(later).filter((table) => !this.#full.includes(table))],
    );
    for (const { name } of rows) {
      await this.#fill(name);
      await this.#pool.query(`vacuum analyze ${name}`);
    }
    return rows.map(({ name }) => name);
  }

  /**
   * Writes one row to each full table and changes an endpoint, in one transaction each.
   * @param onWrite is called after each, with the table and how long it took
   */
  async write(
    client: pg.PoolClient,
    onWrite: (table: string, tookMs: number) => void,
  ): Promise<void> {
    const event = makeId('evt', new Date());
    const timed = async (table: string, statement: string, value: unknown) => {
      const startedAt = performance.now();
      await client.query(statement, [value]);
      onWrite(table, performance.now() - startedAt);
    };
    for (const table of this.#full) await timed(table, statements[table] ?? '', [event]);
    await timed('endpoint', changeEndpoint, endpoint);
  }

  async #fill(table: string): Promise<void> {
    for (let done = 0; done < this.#rows; done += fillBatch) {
      const ids = Array.from(
        { length: Math.min(fillBatch, this.#rows - done) },
        (_each, place) => `${this.#start}${String(done + place).padStart(16, '0')}`,
      );
      await this.#pool.query(statements[table] ?? '', [ids]);
    }
    this.#full.push(table);
  }
}

/** The line of one migration. */
export function migrationLine(figures: MigrationFigures): string {
  const { name, seconds, writes, longestMs, longestIn } = figures;
  const shown = name.replace(/\d+$/, '');
  return `| migration ${shown} | ${seconds.toFixed(1)} s | | | ${writes} writes meanwhile, the longest took ${longestMs.toFixed(0)} ms (${longestIn}) |`;
}
