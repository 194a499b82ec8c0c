import type pg from 'pg';
import type { ServiceConfig } from '../../src/config/config.js';
import {
  apiServerSettings,
  commonServerSettings,
  hostName,
  hostUrls,
  pooledServerSettings,
  type ServerSettings,
  withServerSettings,
} from '../../src/database/address.js';
import { DatabaseClient } from '../../src/database/connection.js';
import { missingPartitions } from '../../src/database/partitions.js';
import { stateOf } from '../../src/database/primary.js';
import { checkSchema, migrateCommand } from '../../src/database/schema.js';
import { readBacklog } from '../../src/domain/delivery/backlog.js';
import { engineServerSettings } from '../../src/domain/delivery/claim.js';
import { aliveSeconds, readAliveWorkers } from '../../src/domain/worker/heartbeats.js';
import { smallestId } from '../../src/domain/values/id.js';
import { CannotOpen, type SealedSecret, Sealer } from '../../src/domain/values/sealer.js';
import type { Read, Statement } from '../../src/domain/transaction/tx.js';
import { errorMessage, explainError } from '../../src/process/explain-error.js';
import { queueServerSettings } from '../../src/queue/postgres.js';
import { type Finding, ok, problem, type Subject, tooSlow, warning } from './finding.js';

/** The number of PostgreSQL 14. */
const oldestServer = 140_000;

/** How long PostgreSQL may take to connect and for each response. */
const responseTimeoutMs = 3_000;

const notificationTimeoutMs = 3_000;

/** Maintenance drops events after 40 days, but a pending delivery keeps its event. This warns earlier. */
const longOpenMs = 35 * 86_400_000;

/** Counting further would cost more than the exact number is worth. */
const countLimit = 100_000;

/** Longer than a worker needs to find a delivery whose wake-up was lost. */
const overdueSeconds = 60;

const everyRole = ['deliver', 'replay', 'notify', 'expire'];

/** Counts the connections of API and worker processes, not those of commands and the launcher. */
const servingStatement: Statement = {
  name: 'doctor_serving',
  text: `select count(*)::int as connections from pg_stat_activity
          where datname = current_database()
            and application_name in ('signalpost-api', 'signalpost-worker', 'signalpost-listen')`,
};

/**
 * Checks PostgreSQL: connection, version, schema, number and settings of connections, LISTEN, keys of
 * stored secrets, pending deliveries, and the queue unless it is on Redis. Changes nothing.
 * @param signal ends the checks, which then return their findings so far
 */
export async function checkPostgres(
  config: ServiceConfig,
  signal: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const attempt = createAttempt(findings, signal);
  const url = withServerSettings(config.databaseUrl);
  await attempt('database', () =>
    withClient(
      url,
      async (client) => {
        await checkAll(client, config, attempt, signal);
        return [];
      },
      signal,
    ),
  );

  return findings;
}

async function checkAll(
  client: pg.Client,
  config: ServiceConfig,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const { databaseUrl, poolerUrl, redisUrl } = config;
  await attempt('database', () => checkServer(client));
  await attempt('database', () => checkHosts(client, databaseUrl));
  await attempt('database', () => checkStatistics(client));

  const isComplete = await attempt('migrations', () => checkMigrations(client));
  await attempt('connections', () => checkConnections(client, config));
  await attempt('connections', () => checkServerSettings(config, signal));
  if (poolerUrl !== undefined) await attempt('connections', () => checkPooler(poolerUrl, signal));
  await attempt('notifications', () => checkNotifications(client));

  // Without the schema, its contents cannot be checked.
  if (isComplete) {
    await attempt('secrets', () => checkSecrets(client, config));
    await attempt('deliveries', () => checkDeliveries(client));
    await attempt('deliveries', () => checkRetrySchedules(client, config));
    await attempt('workers', () => checkWorkers(reader(client)));
    await attempt('database', () => checkPartitionsExist(client));
  }

  if (redisUrl === undefined) await attempt('queue', () => checkQueue(client));
}

/** Runs a check. Returns whether all its findings are of level `ok`. */
type Attempt = (subject: Subject, check: () => Promise<Finding | Finding[]>) => Promise<boolean>;

/**
 * Creates an {@link Attempt} that adds to `all`. An error of a check becomes a finding. After `signal`, the
 * first check that did not finish reports the timeout, and no later one does.
 */
function createAttempt(all: Finding[], signal: AbortSignal): Attempt {
  const isOver = () => signal.aborted;
  let timeoutReported = false;
  const end = (subject: Subject) => {
    if (!timeoutReported) all.push(tooSlow(subject));
    timeoutReported = true;
    return false;
  };

  return async (subject, check) => {
    if (isOver()) return end(subject);
    let findings: Finding[];
    try {
      findings = [await check()].flat();
    } catch (error) {
      if (isOver()) return end(subject);
      findings = [problem(subject, explainError(error) ?? errorMessage(error))];
    }
    all.push(...findings);
    return findings.every(({ level }) => level === 'ok');
  };
}

async function checkServer(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ number: number; version: string; readOnly: boolean }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
            current_setting('default_transaction_read_only')::boolean as "readOnly"`,
  );
  const [row] = rows;
  if (!row || row.number < oldestServer) {
    const version = row?.version ?? '?';
    return [problem('database', `PostgreSQL ${version} is too old: install 14 or newer`)];
  }
  return [ok('database', `PostgreSQL ${row.version}`), ...(row.readOnly ? [readOnly] : [])];
}

const readOnly = problem(
  'database',
  'PostgreSQL refuses writes: default_transaction_read_only is on. Managed databases set it when their disk is full: make room, then set it to off',
);

/**
 * Reports the role of each host of a database with several hosts, and whether a failover can lose events.
 * Returns no finding for a single host.
 * @param client a connection to the primary
 */
async function checkHosts(
  client: Pick<pg.Client, 'query'>,
  databaseUrl: string,
): Promise<Finding[]> {
  const urls = hostUrls(databaseUrl);
  if (urls.length === 1) return [];

  const states = await Promise.all(urls.map((url) => stateOf(url).catch(() => undefined)));
  const timeline = Math.max(...states.map((state) => state?.timeline ?? 0));
  const parts = urls.map((url, index) => {
    const state = states[index];
    if (!state) return `${hostName(url)} is not responding`;
    if (state.isStandby) return `${hostName(url)} is a standby`;
    if (state.timeline === timeline) return `${hostName(url)} is the primary`;
    return `${hostName(url)} is a former primary that still takes writes: make it a standby`;
  });

  const hostsAreGood = states.every(
    (state) => state && (state.isStandby || state.timeline === timeline),
  );
  const hosts = (hostsAreGood ? ok : warning)('database', parts.join(', '));
  const { rows } = await client.query<{ names: string }>(
    `select current_setting('synchronous_standby_names') as names`,
  );
  if (rows[0]?.names !== '') return [hosts];

  const detail =
    'the primary has no synchronous standby, so a failover can lose acknowledged events: set synchronous_standby_names there';
  return [hosts, warning('database', detail)];
}

/** Warns when PostgreSQL hides the sessions of other roles, which leaves gaps in figures. */
async function checkStatistics(client: Pick<pg.Client, 'query'>): Promise<Finding[]> {
  // PostgreSQL decides: superusers and members of pg_monitor have the right, too.
  const { rows } = await client.query<{ role: string }>(
    `select quote_ident(current_user) as role
      where not pg_has_role(current_user, 'pg_read_all_stats', 'usage')`,
  );

  const [lacking] = rows;
  if (!lacking) return [];

  const { role } = lacking;
  const detail =
    `PostgreSQL hides the sessions of other roles from ${role}. Signalpost cannot count them here, name ` +
    'those that block "migrate", find their long transactions, or ask a standby for its timeline. ' +
    `Run as a superuser: grant pg_read_all_stats to ${role}`;
  return [warning('database', detail)];
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  await checkSchema(client);
  return ok('migrations', 'the schema matches this build');
}

async function checkConnections(
  client: pg.Client,
  { databasePool, redisUrl }: ServiceConfig,
): Promise<Finding> {
  const { rows } = await client.query<{ limit: number; used: number; ours: number }>(
    `select current_setting('max_connections')::int as limit, count(*)::int as used,
            count(*) filter (where application_name like 'signalpost%')::int as ours
     from pg_stat_activity where backend_type = 'client backend'`,
  );

  const { limit = 0, used = 0, ours = 0 } = rows[0] ?? {};
  const detail = `${used} of ${limit} in use, ${ours} of them Signalpost’s`;

  // One more worker needs its pool, one for LISTEN, and those of a queue in PostgreSQL.
  if (limit - used < databasePool + (redisUrl === undefined ? 5 : 1)) {
    return warning(
      'connections',
      `${detail}; too few are left for another process. Raise max_connections or lower DATABASE_POOL`,
    );
  }

  return ok('connections', detail);
}

/** The server settings that each kind of connection adds to the common ones. */
const serverSettingsOf = {
  API: apiServerSettings,
  worker: engineServerSettings,
  queue: queueServerSettings,
} as const satisfies Record<string, ServerSettings>;

/**
 * Opens one connection of each kind and compares its server settings with the requested ones, because
 * a pooler may drop start-up options. Returns no finding if all match.
 */
async function checkServerSettings(config: ServiceConfig, signal: AbortSignal): Promise<Finding[]> {
  const kinds = Object.entries(serverSettingsOf).filter(
    ([kind]) => kind !== 'queue' || config.redisUrl === undefined,
  );
  const problems: string[] = [];

  for (const [kind, settings] of kinds) {
    const all = { ...commonServerSettings, ...settings };
    const url = withServerSettings(config.databaseUrl, settings);
    const missing = await missingSettings(url, all, signal);
    if (missing.length > 0) problems.push(`connections of the ${kind} lack ${missing.join(', ')}`);
  }

  if (problems.length === 0) return [];

  const detail = `${problems.join('; ')}: a pooler drops start-up options, so query plans are slow and the queue cannot find its tables. Point DATABASE_URL at PostgreSQL itself`;
  return [problem('connections', detail)];
}

/** Compares the settings of a connection through `poolerUrl`, which must come from its role. */
async function checkPooler(poolerUrl: string, signal: AbortSignal): Promise<Finding> {
  const missing = await missingSettings(poolerUrl, pooledServerSettings, signal);
  if (missing.length === 0) {
    return ok('connections', 'connections of DATABASE_POOLER_URL have the settings of the API');
  }

  const { username } = new URL(poolerUrl);
  const detail = `connections of DATABASE_POOLER_URL lack ${missing.join(', ')}, so query plans are slow and statements have no timeout. Run alter role "${decodeURIComponent(username)}" set … for each, then RECONNECT in the pooler`;
  return problem('connections', detail);
}

/** Returns entries such as `jit=off`. Skips TCP settings, which sockets and some systems do not have. */
async function missingSettings(
  url: string,
  wanted: ServerSettings,
  signal: AbortSignal,
): Promise<string[]> {
  const expected = Object.entries(wanted).filter(([name]) => !name.startsWith('tcp_'));
  const { rows } = await withClient(
    url,
    (client) =>
      client.query<{ name: string; setting: string }>(
        'select name, setting from pg_settings where name = any($1)',
        [expected.map(([name]) => name)],
      ),
    signal,
  );

  const actual = new Map(rows.map(({ name, setting }) => [name, setting]));
  return expected
    .filter(([name, value]) => actual.get(name) !== value)
    .map(([name, value]) => `${name}=${value}`);
}

/** A pooler in transaction mode silently drops LISTEN. */
async function checkNotifications(client: pg.Client): Promise<Finding> {
  const notified = new Promise<boolean>((resolve) => {
    client.once('notification', () => resolve(true));
    setTimeout(() => resolve(false), notificationTimeoutMs).unref();
  });
  await client.query('listen signalpost_doctor');
  await client.query('notify signalpost_doctor');
  return (await notified)
    ? ok('notifications', 'LISTEN works')
    : problem(
        'notifications',
        'LISTEN does not work: DATABASE_URL must not go through a pooler in transaction mode',
      );
}

/** Opens the oldest and the newest secret of each key id: another key may have the same id. */
async function checkSecrets(client: pg.Client, { secretKeys }: ServiceConfig): Promise<Finding[]> {
  const { rows } = await client.query<SealedSecret & { count: number; endpointId: string }>(
    `select k.key_id as "keyId", k.count, s.endpoint_id as "endpointId", s.sealed
       from (select key_id, count(*)::int, min(id) as oldest, max(id) as newest
               from endpoint_secret group by key_id) k
       join endpoint_secret s on s.id in (k.oldest, k.newest) order by k.key_id, s.id`,
  );

  const sealer = new Sealer(secretKeys);
  const counts = new Map(rows.map(({ keyId, count }) => [keyId, count]));
  const closed = rows.filter(
    (secret) => sealer.tryOpen(secret, secret.endpointId) instanceof CannotOpen,
  );
  const keyIds = new Set(secretKeys.map(({ id }) => id));
  const missing = [...counts.keys()].filter((key) => !keyIds.has(key));
  const wrong = [...keyIds].flatMap((key) => closed.find(({ keyId }) => keyId === key) ?? []);
  const nextStep = 'If the key is lost: docs/operations.md, "The key is lost"';

  const problems = wrong.map(({ keyId, endpointId }) =>
    problem(
      'secrets',
      `SECRET_KEY ${keyId} is not the key that sealed the signing secret of ${endpointId}: restore the right key. ${nextStep}`,
    ),
  );

  if (missing.length > 0) {
    const keys = missing.join(', ');
    const detail = `SECRET_KEY lacks keys that seal secrets: ${keys}. Add them to it. ${nextStep}`;
    problems.push(problem('secrets', detail));
  }

  return problems.length > 0 ? problems : [checkAge(counts, secretKeys[0].id)];
}

/** @param counts the number of secrets by the key that sealed them */
function checkAge(counts: ReadonlyMap<string, number>, newest: string): Finding {
  const older = [...counts].filter(([key]) => key !== newest);
  if (older.length > 0) {
    const counted = older.map(([key, count]) => `${key}: ${count}`).join(', ');
    return warning(
      'secrets',
      `older keys still seal secrets (${counted}): run "admin keys rotate"`,
    );
  }
  return ok('secrets', 'the newest key seals all secrets');
}

/** Warns about dead letters and deliveries that are pending for more than 35 days. */
export async function checkDeliveries(client: pg.Client): Promise<Finding> {
  const { rows: clock } = await client.query<{ now: Date }>('select now() as now');
  const since = new Date((clock[0]?.now.getTime() ?? 0) - longOpenMs);
  const { rows } = await client.query<{ deadLettered: number; old: number; oldest: string | null }>(
    `select (select count(*)::int from pending_delivery where dead_letter_reason is not null) as "deadLettered",
            count(*)::int as old, min(o.id) as oldest
       from (select c.id from pending_delivery c
              where c.id < $1 and c.dead_letter_reason is null order by c.id limit ${countLimit}) o`,
    [smallestId('pdl', since)],
  );

  const { deadLettered = 0, old = 0, oldest } = rows[0] ?? {};
  const details = [
    ...(deadLettered > 0
      ? [
          `${deadLettered} dead-lettered: in the internal GraphQL, deadLetters lists the reasons and releaseDeadLetter releases them`,
        ]
      : []),
    ...(old > 0
      ? [
          `${old < countLimit ? old : `at least ${old}`} pending for more than 35 days, the oldest is ${oldest}: their events are kept past 40 days. Find out why workers do not finish them`,
        ]
      : []),
  ];

  return details.length === 0
    ? ok('deliveries', 'no dead letters, and none pending for more than 35 days')
    : warning('deliveries', details.join('; '));
}

/** Finds schedules that endpoints have chosen and the settings lack. */
async function checkRetrySchedules(
  client: pg.Client,
  { webhooks: { otherRetrySchedulesMs } }: ServiceConfig,
): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; endpoints: number }>(
    `select retry_schedule as name, count(*)::int as endpoints from endpoint
      where deleted_at is null and retry_schedule <> all ($1::text[]) group by 1 order by 1`,
    [[...otherRetrySchedulesMs.keys()]],
  );

  return rows.map(({ name, endpoints }) =>
    warning(
      'deliveries',
      `WEBHOOKS_RETRY_SCHEDULES lacks ${name}, which ${endpoints === 1 ? '1 endpoint has' : `${endpoints} endpoints have`} chosen: the default schedule applies`,
    ),
  );
}

/**
 * Finds work that no worker does. Reports an error if no worker is alive while another process of the
 * service is, or if a delivery has been due for a minute.
 */
async function checkWorkers(read: Pick<Read, 'sql'>): Promise<Finding> {
  const workers = await readAliveWorkers(read);
  const { ready, oldestBacklogSeconds } = await readBacklog(read);
  const roles = new Set(workers.flatMap((worker) => worker.roles));
  const missing = everyRole.filter((role) => !roles.has(role));
  const alive = `${workers.length} alive`;
  const due = `the oldest due delivery has waited ${Math.floor(oldestBacklogSeconds)} s`;

  if (missing.length === 0) return ok('workers', `${alive}; ${due}`);

  const advice =
    'Start one with "node dist/workers/main.js", or everything with "npm start" if DATABASE_URL is not set, and check the logs of workers that have ended';
  const lacking =
    workers.length === 0
      ? `no worker has polled within ${aliveSeconds} s`
      : `${alive}, none with the role ${missing.join(' or ')}`;

  if (workers.length === 0 && (await isServing(read))) {
    return problem(
      'workers',
      `${lacking}, but the service runs: deliveries, mails and expiries wait. ${ready} are due and ${due}. ${advice}`,
    );
  }

  const overdue = !roles.has('deliver') && oldestBacklogSeconds > overdueSeconds;
  return overdue
    ? problem('workers', `${lacking}, ${ready} are due and ${due}. ${advice}`)
    : warning('workers', `${lacking}. ${advice}`);
}

async function isServing(read: Pick<Read, 'sql'>): Promise<boolean> {
  const [row] = await read.sql<{ connections: number }>(servingStatement, []);
  return (row?.connections ?? 0) > 0;
}

/** Returns no finding when the partitions for new events and deliveries exist. */
async function checkPartitionsExist(client: pg.Client): Promise<Finding[]> {
  const missing = await missingPartitions(reader(client));
  if (missing.length === 0) return [];
  const detail = `events and deliveries of this week cannot be stored, because ${missing.join(' and ')} is missing: start a worker or run ${migrateCommand} to create it`;
  return [problem('database', detail)];
}

async function checkQueue(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('bullmq.job') is not null as found`,
  );
  return rows[0]?.found
    ? ok('queue', 'BullMQ on PostgreSQL')
    : problem('queue', `the queue has no tables: run ${migrateCommand}`);
}

/** Runs statements of the domain on the connection of the check. */
function reader(client: pg.Client): Pick<Read, 'sql'> {
  return {
    sql: async <Row>({ text }: Statement, values: readonly unknown[]) =>
      (await client.query(text, [...values])).rows as Row[],
  };
}

/**
 * Runs `work` on a new connection, which waits at most 3 seconds for each response.
 * @param signal breaks the connection
 */
export async function withClient<Result>(
  connectionString: string,
  work: (client: DatabaseClient) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const client = new DatabaseClient({
    connectionString,
    application_name: 'signalpost-doctor',
    connectionTimeoutMillis: responseTimeoutMs,
    query_timeout: responseTimeoutMs,
  });

  // Without a listener, a broken connection ends the process.
  client.on('error', () => undefined);

  const abandon = () => client.abandon();
  signal.addEventListener('abort', abandon);

  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
    signal.removeEventListener('abort', abandon);
  }
}
