import pg from 'pg';
import type { Database } from '../../src/database/database.js';
import type { TestDatabase } from './database.js';
import { eventType } from './engine.js';
import { smallestId, type IdPrefix, makeId } from '../../src/domain/values/id.js';

/** A node of a plan in `EXPLAIN (FORMAT JSON)`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Total Cost': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** The work of PostgreSQL for one statement. */
export interface LoggedPlan {
  readonly text: string;
  /** The cost that the planner estimated; the same for a reused plan. */
  readonly cost: number;
  /** Tables with a sequential scan. */
  readonly scanned: readonly string[];
  /** Rows read from tables and indexes, including filtered ones. */
  readonly rows: number;
  /** Pages of tables and indexes, from memory or disk. */
  readonly blocks: number;
}

/**
 * Server settings for a superuser's connection that report the plan of each statement as it ran. A
 * prepared statement shows the plan that it really has, and no statement runs twice.
 */
export const explaining: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_format': 'json',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  // No plan needs its parameters, and some are lists of thousands. PostgreSQL before 16 ignores it.
  'auto_explain.log_parameter_max_length': '0',
};

type Emit = (this: pg.Client, name: string, ...given: unknown[]) => boolean;

/** Runs `work`. @returns the plans of all statements on connections with {@link explaining} */
export async function plansOf(work: () => Promise<unknown>): Promise<LoggedPlan[]> {
  const seen: LoggedPlan[] = [];
  const prototype = pg.Client.prototype as unknown as { emit: Emit };
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'emit');
  const { emit } = prototype;
  prototype.emit = function (name, ...given) {
    const [notice] = given as [{ readonly message?: string }?];
    const [, json] = /^duration: [\d.]+ ms {2}plan:\n([^]*)$/.exec(notice?.message ?? '') ?? [];
    if (name === 'notice' && json !== undefined) seen.push(planOf(json));
    return emit.call(this, name, ...given);
  };

  try {
    await work();
  } finally {
    if (descriptor) Object.defineProperty(prototype, 'emit', descriptor);
    else delete (prototype as Partial<typeof prototype>).emit;
  }

  return seen;
}

/** Returns the tables and partitions of at least 50 pages, which no statement should read whole. */
export async function bigTables(test: TestDatabase): Promise<ReadonlySet<string>> {
  const rows = await test.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and pg_relation_size(oid) >= 50 * current_setting('block_size')::int`,
  );
  return new Set(rows.map(({ name }) => name));
}

function planOf(json: string): LoggedPlan {
  const { 'Query Text': text, Plan: plan } = JSON.parse(json) as {
    readonly 'Query Text': string;
    readonly Plan: PlanNode;
  };

  const nodes = nodesOf(plan);
  return {
    text,
    cost: plan['Total Cost'],
    scanned: nodes.flatMap((node) =>
      node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0
        ? [node['Relation Name'] ?? '']
        : [],
    ),
    rows: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
    blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(node: PlanNode): number {
  // The rows of a bitmap index scan are counted at the heap scan.
  if (node['Node Type'] === 'Bitmap Index Scan' || !node['Node Type'].endsWith('Scan')) return 0;
  if (node['Relation Name'] === undefined) return 0;
  const { 'Rows Removed by Filter': filtered = 0 } = node;
  const { 'Rows Removed by Index Recheck': rechecked = 0 } = node;
  return Math.round((node['Actual Rows'] + filtered + rechecked) * node['Actual Loops']);
}

/** The most that a statement may read. */
export interface Allowance {
  readonly rows: number;
  readonly blocks: number;
}

/** Returns the statements that read a table of `big` whole, or more than `most`. */
export function excessesOf(
  plans: readonly LoggedPlan[],
  big: ReadonlySet<string>,
  most: Allowance,
): string[] {
  return plans.flatMap(({ text, scanned, rows, blocks }) => {
    const whole = scanned.filter((table) => big.has(table));
    const start = startOf(text);
    return [
      ...whole.map((table) => `reads all of ${table}: ${start}`),
      ...(rows > most.rows ? [`reads ${rows} rows: ${start}`] : []),
      ...(blocks > most.blocks ? [`touches ${blocks} pages: ${start}`] : []),
    ];
  });
}

function startOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 160);
}

/** Returns the prepared statements of `database` that PostgreSQL planned again since `before`. */
export async function replannedOf(
  { read }: Database,
  before: readonly LoggedPlan[],
  plans: readonly LoggedPlan[],
): Promise<string[]> {
  const known = new Set(before.map(({ text, cost }) => `${cost} ${text}`));
  const prepared = await read.sql<{ text: string; age: number }>(
    {
      name: 'test_prepared',
      text: `select statement as text, extract(epoch from now() - prepare_time)::int as age
               from pg_prepared_statements`,
    },
    [],
  );

  return plans.flatMap(({ text, cost }) => {
    if (known.has(`${cost} ${text}`)) return [];
    // The age shows whether it is the same connection as before.
    return prepared
      .filter((candidate) => candidate.text === text)
      .map(({ age }) => `prepared ${age} s ago: ${startOf(text)}`);
  });
}

/**
 * Start-up options for setup statements, which take minutes with missing or wrong statistics. PostgreSQL would
 * compile them, because it estimates a high cost where it has to scan nevertheless.
 */
export const avoidScansOption = '-c enable_nestloop=off -c enable_seqscan=off -c jit=off';

/**
 * Disables autovacuum for all tables, because it updates the statistics of the planner at any time.
 * Call it before any statement is prepared: PostgreSQL plans prepared statements again after it.
 */
export async function disableAutovacuum(test: TestDatabase): Promise<void> {
  await test.query(
    `do $$ declare t regclass; begin
       for t in select oid from pg_class
                 where relkind = 'r' and relnamespace = 'public'::regnamespace loop
         execute format('alter table %s set (autovacuum_enabled = off)', t);
       end loop; end $$`,
  );
}

/**
 * Sets the statistics that an analyze writes for an emptied table whose pages still exist. The planner
 * takes the tables for empty, however they grow, until the next analyze. PostgreSQL plans prepared
 * statements again.
 */
export async function setStatisticsToEmpty(test: TestDatabase): Promise<void> {
  await test.query(
    `update pg_class set reltuples = 0, relpages = 1
      where relkind in ('r', 'i') and relnamespace = 'public'::regnamespace`,
  );
}

/** Sets the statistics of `pending_delivery` to those after a burst of 50,000 rows. Other tables get true ones. */
export async function setStatisticsToAfterBurst(test: TestDatabase): Promise<void> {
  await test.query(
    `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, attempt, max_attempts,
                        test, created_at, lane, ready, due_at)
     select 'pdl_' || i, 'acc_burst', 'whs_' || i % 50, 'evt_' || i, $1, 1, 10, false, now(),
            'live', true, now() from generate_series(1, 50000) i`,
    [eventType],
  );
  await test.query('delete from pending_delivery');
  // When both seem empty, the planner chooses the shallower index: this one, which is the wrong one.
  await test.query('reindex index pending_delivery_by_endpoint');
  await test.query('vacuum (index_cleanup off, truncate off, analyze)');
}

/** The number of rows of each kind that {@link bulkFill} inserts. */
export const bulk = {
  /** A tenth is inactive, and another tenth was deleted long ago. */
  endpoints: 20_000,
  /** Endpoints with pending deliveries; each has all kinds of them. */
  busyEndpoints: 200,
  readyEach: 100,
  waitingEach: 100,
  /** Pending deliveries that are due, but not yet promoted to ready. */
  dueEach: 10,
  /** Expired leases, each with one pending delivery of every busy endpoint. */
  leases: 10,
  /** Subjects of each busy endpoint in which two wait for their turn; of every tenth none is open. */
  subjectsEach: 10,
  /** Pending deliveries that wait for the turn of one subject, at an endpoint that has no others. */
  inOrder: 20_000,
  events: 30_000,
  deliveries: 60_000,
  /**
   * Idempotency records, publish keys, checkouts, credentials and notices. Half of each is expired; one
   * checkout in forty is expired but not yet marked so. Also offers, and keys that wait for a replay.
   */
  others: 20_000,
} as const;

/**
 * Fills a database as a restored backup or a burst does: at once, without planner statistics.
 * Call {@link disableAutovacuum} first.
 * @param account the owner of all rows
 */
export async function bulkFill(test: TestDatabase, account: string): Promise<void> {
  // Checks no foreign keys and runs no triggers, which takes a fifth of the time.
  const client = new pg.Client({
    connectionString: test.url,
    options: `${avoidScansOption} -c session_replication_role=replica`,
  });
  // The next statement reports a lost connection.
  client.on('error', () => undefined);
  await client.connect();

  try {
    await insertBulk((text, values) => client.query(text, values), account);
  } finally {
    await client.end();
  }
}

type Insert = (text: string, values?: unknown[]) => Promise<unknown>;

async function insertBulk(insert: Insert, account: string): Promise<void> {
  const at = new Date();
  const id = (prefix: IdPrefix, number: string, from = at) =>
    `'${smallestId(prefix, from)}' || lpad((${number})::text, 16, '0')`;
  const endpoint = (number: string) => id('whs', `(${number}) * 20`);
  const series = (count: number) => `generate_series(0, ${count - 1}) i`;
  const lastWeek = new Date(at.getTime() - 7 * 86_400_000);

  /** Returns ids, in turns of this week and of last week. */
  const lasting = (prefix: IdPrefix, number: string) =>
    `case when (${number}) % 2 = 0 then ${id(prefix, number)} else ${id(prefix, number, lastWeek)} end`;
  const eventId = (number: string) => lasting('evt', number);

  await insert(
    `insert into endpoint (id, account_id, url, active, notification_email, event_types,
                           created_at, updated_at, deleted_at)
     select ${id('whs', 'i')}, $1, 'https://shop.example/hook', i % 10 <> 1,
            'ops@shop.example', $2, now(), now(),
            case when i % 10 = 3 then now() - interval '61 days' end from ${series(bulk.endpoints)}`,
    [account, [eventType]],
  );

  await insert(
    `insert into endpoint_secret (id, endpoint_id, key_id, sealed, created_at)
     select ${id('sec', 'i')}, ${id('whs', 'i')}, 'k1', '', now() from ${series(bulk.endpoints)}
      where i % 10 <> 3`,
  );

  await insert(
    `insert into event (id, account_id, type, version, subject, test, body, occurred_at, created_at)
     select ${eventId('i')}, $1, $2, 'v1', 'order:ord_1', false,
            convert_to('{"filler":"' || repeat('x', 500) || '"}', 'UTF8'), now(), now()
       from ${series(bulk.events)}`,
    [account, eventType],
  );

  await insert(
    `insert into delivery (id, account_id, endpoint_id, pending_delivery_id, event_id, event_type,
                           event_version, attempt, max_attempts, status, test, created_at)
     select ${lasting('whd', 'i')}, $1, ${endpoint(`i % ${bulk.busyEndpoints}`)}, ${id('pdl', 'i')},
            ${eventId(`i % ${bulk.events}`)}, $2, 'v1', 1, 10,
            case when i % 3 = 0 then 'failed' else 'success' end, false, now()
       from ${series(bulk.deliveries)}`,
    [account, eventType],
  );

  let first = 0;

  /** Inserts pending deliveries of every busy endpoint; `columns` are lane, ready, due, token, reason. */
  const pendingDeliveries = async (perEndpoint: number, columns: string) => {
    const count = perEndpoint * bulk.busyEndpoints;
    await insert(
      `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, attempt, max_attempts,
                          test, last_delivery_id, created_at,
                          lane, ready, due_at, lease_token, dead_letter_reason)
       select ${id('pdl', `${first} + i`)}, $1, ${endpoint(`i % ${bulk.busyEndpoints}`)},
              ${eventId(`(${first} + i) % ${bulk.events}`)}, $2, 2, 10, false,
              ${lasting('whd', `(${first} + i) % ${bulk.deliveries}`)}, now(), ${columns}
         from ${series(count)}`,
      [account, eventType],
    );
    first += count;
  };

  const past = `now() - (i % 977) * interval '1 second' - interval '1 minute'`;
  await pendingDeliveries(bulk.readyEach, `'live', true, ${past}, null, null`);
  await pendingDeliveries(2, `'replay', true, ${past}, null, null`);
  await pendingDeliveries(2, `'isolated', true, ${past}, null, null`);
  await pendingDeliveries(bulk.waitingEach, `'live', false, now() + interval '1 day', null, null`);
  await pendingDeliveries(bulk.dueEach, `'live', false, ${past}, null, null`);
  await pendingDeliveries(1, `'live', false, ${past}, null, 'a test dead-lettered it'`);

  await pendingDeliveries(
    bulk.leases,
    `'live', true, ${past}, 1 + i / ${bulk.busyEndpoints}, null`,
  );

  const subjects = bulk.subjectsEach * bulk.busyEndpoints;
  const key = (number: string) => `lpad(to_hex(${number}), 32, '0')::uuid`;
  await insert(
    `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, attempt, max_attempts,
                        test, created_at, lane, ready, due_at, subject_key, subject_number)
     select ${id('pdl', `${first} + i`)}, $1, ${endpoint(`i % ${bulk.busyEndpoints}`)},
            ${eventId(`(${first} + i) % ${bulk.events}`)}, $2, 1, 10, false, now(), 'live',
            false, case when i < ${subjects} and i % 10 > 0 then now() + interval '1 day' else 'infinity' end,
            ${key(`i % ${subjects}`)}, i
       from ${series(3 * subjects)}`,
    [account, eventType],
  );
  first += 3 * subjects;

  await insert(
    `insert into pending_delivery (id, account_id, endpoint_id, event_id, event_type, attempt, max_attempts,
                        test, created_at, lane, ready, due_at, subject_key, subject_number)
     select ${id('pdl', `${first} + i`)}, $1, ${endpoint(`${bulk.busyEndpoints} + 1`)},
            ${eventId(`(${first} + i) % ${bulk.events}`)}, $2, 1, 10, false, now(), 'live',
            i = 0, case when i = 0 then now() else 'infinity' end, ${key('1')}, i
       from ${series(bulk.inOrder)}`,
    [account, eventType],
  );
  await insert(
    `update endpoint set ordering = 'subject' where id = any (array(
       select distinct endpoint_id from pending_delivery where subject_key is not null))`,
  );

  await insert(
    `insert into lease (token, until, pending_delivery_ids)
     select lease_token, now() - interval '1 second', array_agg(id) from pending_delivery
      where lease_token is not null and lease_token <= ${bulk.leases} group by lease_token`,
  );

  await insertOthers(insert, account, series(bulk.others), id);
}

/** Inserts rows that are looked up by key, and purged. */
async function insertOthers(
  insert: Insert,
  account: string,
  series: string,
  id: (prefix: IdPrefix, number: string) => string,
): Promise<void> {
  const over = `now() + (i % 2 - 0.5) * interval '100 days'`;
  await insert(
    `insert into idempotency_record (account_id, key, fingerprint, status, body, expires_at, created_at)
     select $1, 'bulk' || i, '', 200, repeat('x', 300), ${over}, now() from ${series}`,
    [account],
  );

  await insert(
    `insert into idempotency_record (account_id, key, fingerprint, pending_delivery_id, created_at)
     select $1, 'pending' || i, '', ${id('pdl', 'i')}, now() from ${series}`,
    [account],
  );

  // An account without endpoints, because an event is compared with all endpoints of its account.
  const shop = makeId('acc', new Date());
  await insert(`insert into account (id, name, created_at) values ($1, 'Shop', now())`, [shop]);

  const sums = `currency, subtotal_minor_units, discount_minor_units, shipping_minor_units,
                tax_minor_units, total_minor_units`;
  await insert(
    `insert into offer (id, account_id, position, recipient_email, title, metadata, line_items,
                        send_count, sent_at, expires_at, created_at, updated_at, ${sums})
     select ${id('off', 'i')}, $1, i + 1, 'ada@example.com', 'Bulk', '{}', '[]', 1, now(),
            now() + interval '1 day', now(), now(), 'EUR', 0, 0, 0, 0, 0 from ${series}`,
    [shop],
  );

  await insert(
    `insert into checkout (id, account_id, success_url, cancel_url, external_reference, offer_id,
                           buyer_email_locked, metadata, line_items, created_at, expires_at,
                           expired_at, ${sums})
     select ${id('chk', 'i')}, $1, 'https://shop.example/paid', 'https://shop.example', 'bulk' || i,
            case when i % 3 = 0 then ${id('off', 'i')} end, false, '{}', '[]',
            now() - interval '60 days', ${over},
            case when i % 2 = 0 and i % 40 > 0 then now() end, 'EUR', 0, 0, 0, 0, 0 from ${series}`,
    [shop],
  );

  await insert(
    `insert into publish_key (account_id, key, fingerprint, event_id, expires_at)
     select $1, 'bulk' || i, '', 'evt_1', ${over} from ${series}`,
    [account],
  );

  await insert(
    `insert into member (id, account_id, email, role, is_person, created_at)
     select ${id('mem', 'i')}, $1, 'bulk' || i || '@acc-1.invalid', 'owner', false, now() from ${series}`,
    [account],
  );

  await insert(
    `insert into credential (id, account_id, member_id, kind, level, token_sha256, last4,
                             created_at, expires_at)
     select ${id('crd', 'i')}, $1, ${id('mem', 'i')}, 'dashboard', 'full',
            sha256(convert_to('bulk' || i, 'UTF8')), 'bulk', now(), ${over} from ${series}`,
    [account],
  );

  await insert(
    `insert into audit_entry (id, account_id, action, actor_kind, changes, created_at)
     select ${id('aud', 'i')}, $1, 'offer_sent', 'api_key', '[]', now() from ${series}`,
    [account],
  );

  await insert(
    `insert into notice (id, account_id, kind, resource_id, recipient, data, message_id, created_at,
                         due_at, sent_at)
     select ${id('ntc', 'i')}, $1, 'offer_sent', 'off_1', 'ada@example.com', '{}',
            '<bulk' || i || '@example.com>', now(), now() - interval '1 minute',
            case when i % 2 = 0 then now() - interval '50 days' end from ${series}`,
    [account],
  );
}
