import type pg from 'pg';
import type { ServiceConfig } from '../../src/config/config.js';
import { migrateCommand } from '../../src/database/migrate-command.js';
import { missingPartitions } from '../../src/database/partitions.js';
import { checkSchema } from '../../src/database/schema-check.js';
import { withServerSettings } from '../../src/database/with-server-settings.js';
import { CannotOpen, type SealedSecret, Sealer } from '../../src/domain/sealer.js';
import type { Read, Statement } from '../../src/domain/tx.js';
import { explainError, errorMessage } from '../../src/process/explain-error.js';
import { checkDeliveries } from './check-deliveries.js';
import { checkHosts } from './check-hosts.js';
import { checkStatistics } from './check-statistics.js';
import { checkWorkers } from './check-workers.js';
import { checkPooler, checkServerSettings, withClient } from './check-server-settings.js';
import { type Finding, ok, problem, type Subject, tooSlow, warning } from './finding.js';

const oldestServer = 140_000;
const notificationTimeoutMs = 3_000;

/**
 * Checks PostgreSQL: connection, version, schema, number and settings of connections, LISTEN, keys of
 * stored secrets, pending deliveries, and the queue unless it is on Redis. Changes nothing.
 * @param signal ends the checks; those that ended are returned
 */
export async function checkPostgres(
  config: ServiceConfig,
  signal: AbortSignal,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const attempt = createAttempt(found, signal);
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
  return found;
}

async function checkAll(
  client: pg.Client,
  config: ServiceConfig,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<void> {
  const { databaseUrl, poolerUrl, redisUrl } = config;
  await attempt('database', () => checkServerVersion(client));
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
    await attempt('workers', () => checkWorkers(reader(client)));
    await attempt('database', () => checkPartitionsExist(client));
  }
  if (redisUrl === undefined) await attempt('queue', () => checkQueue(client));
}

/** Runs a check, and returns whether it found no problem. */
type Attempt = (subject: Subject, check: () => Promise<Finding | Finding[]>) => Promise<boolean>;

/**
 * Makes an {@link Attempt} that adds to `found`. The error of a check is a finding, too. Once `signal`
 * has ended the checks, only the first one of them says so.
 */
function createAttempt(found: Finding[], signal: AbortSignal): Attempt {
  const isOver = () => signal.aborted;
  let hasSaidSo = false;
  const end = (subject: Subject) => {
    if (!hasSaidSo) found.push(tooSlow(subject));
    hasSaidSo = true;
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
    found.push(...findings);
    return findings.every(({ level }) => level === 'ok');
  };
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  await checkSchema(client);
  return ok('migrations', 'the schema matches this build');
}

async function checkServerVersion(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const [row] = rows;
  if (!row || row.number < oldestServer) {
    const version = row?.version ?? '?';
    return problem('database', `PostgreSQL ${version} is too old: install 14 or newer`);
  }
  return ok('database', `PostgreSQL ${row.version}`);
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

/** Opens the oldest and the newest secret of each key id: another key may have taken over the id. */
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
  const known = new Set(secretKeys.map(({ id }) => id));
  const missing = [...counts.keys()].filter((key) => !known.has(key));
  const wrong = [...known].flatMap((key) => closed.find(({ keyId }) => keyId === key) ?? []);
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

async function checkQueue(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('bullmq.job') is not null as found`,
  );
  return rows[0]?.found
    ? ok('queue', 'BullMQ on PostgreSQL')
    : problem('queue', `the queue has no tables: run ${migrateCommand}`);
}

/** Reads with the statements of the domain on the connection of the check. */
function reader(client: pg.Client): Pick<Read, 'sql'> {
  return {
    sql: async <Row>({ text }: Statement, values: readonly unknown[]) =>
      (await client.query(text, [...values])).rows as Row[],
  };
}

/** Returns no finding when the partitions for new events and deliveries exist. */
async function checkPartitionsExist(client: pg.Client): Promise<Finding[]> {
  const missing = await missingPartitions(reader(client));
  if (missing.length === 0) return [];
  const detail = `events and deliveries of this week cannot be stored, because ${missing.join(' and ')} is missing: start a worker or run ${migrateCommand} to create it`;
  return [problem('database', detail)];
}
