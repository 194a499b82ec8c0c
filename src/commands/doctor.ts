import { Redis } from 'ioredis';
import pg from 'pg';
import type { Config } from '../config.js';

/** One thing that was examined. */
export interface Finding {
  readonly subject: 'database' | 'connections' | 'notifications' | 'secrets' | 'queue';
  readonly level: 'ok' | 'warning' | 'error';
  /** What is so, and if it is wrong, what to do. */
  readonly detail: string;
}

const oldestServer = 140_000;
const answerWithinMs = 3_000;

/**
 * Examines what a running service depends on: PostgreSQL, its connections, LISTEN, stored secrets
 * and the queue. That settings and migrations are right is known before it is called.
 */
export async function examine(config: Config & { databaseUrl: string }): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    application_name: 'signalpost-doctor',
    connectionTimeoutMillis: answerWithinMs,
  });
  await client.connect();
  try {
    return [
      await examineServer(client),
      await examineConnections(client, config),
      await examineNotifications(client),
      await examineSecrets(client, config),
      await (config.redisUrl === undefined
        ? examinePostgresQueue(client)
        : examineRedis(config.redisUrl)),
    ];
  } finally {
    await client.end();
  }
}

/** The findings for a person, one line each. */
export function findingLines(findings: readonly Finding[]): string[] {
  return findings.map(({ subject, level, detail }) => `${level.padEnd(7)}  ${subject}: ${detail}`);
}

async function examineServer(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const [row] = rows;
  if (!row || row.number < oldestServer) {
    return {
      subject: 'database',
      level: 'error',
      detail: `PostgreSQL ${row?.version ?? '?'} is older than 14`,
    };
  }
  return {
    subject: 'database',
    level: 'ok',
    detail: `PostgreSQL ${row.version}, the schema is this build’s`,
  };
}

async function examineConnections(client: pg.Client, { databasePool }: Config): Promise<Finding> {
  const { rows } = await client.query<{ limit: number; used: number; ours: number }>(
    `select current_setting('max_connections')::int as limit, count(*)::int as used,
            count(*) filter (where application_name like 'signalpost%')::int as ours
     from pg_stat_activity where backend_type = 'client backend'`,
  );
  const { limit = 0, used = 0, ours = 0 } = rows[0] ?? {};
  const detail = `${used} of ${limit} in use, ${ours} of them Signalpost’s`;
  // One more worker needs its pool, the queue's connections and one to listen.
  if (limit - used < databasePool + 5) {
    return {
      subject: 'connections',
      level: 'warning',
      detail: `${detail}; too few are left for one more process: raise max_connections or lower DATABASE_POOL`,
    };
  }
  return { subject: 'connections', level: 'ok', detail };
}

/** A pooler that hands out connections per transaction swallows LISTEN. */
async function examineNotifications(client: pg.Client): Promise<Finding> {
  const heard = new Promise<boolean>((resolve) => {
    client.once('notification', () => resolve(true));
    setTimeout(() => resolve(false), answerWithinMs).unref();
  });
  await client.query('listen signalpost_doctor');
  await client.query('notify signalpost_doctor');
  return (await heard)
    ? { subject: 'notifications', level: 'ok', detail: 'LISTEN works' }
    : {
        subject: 'notifications',
        level: 'error',
        detail:
          'LISTEN does not work: DATABASE_URL must not lead through a pooler in transaction mode',
      };
}

async function examineSecrets(client: pg.Client, { secretKeys }: Config): Promise<Finding> {
  const { rows } = await client.query<{ key: string; count: number }>(
    'select key_id as key, count(*)::int as count from endpoint_secret group by key_id order by key_id',
  );
  const known = new Set((secretKeys ?? []).map(({ id }) => id));
  const missing = rows.filter(({ key }) => !known.has(key)).map(({ key }) => key);
  if (missing.length > 0) {
    return {
      subject: 'secrets',
      level: 'error',
      detail: `secrets are sealed with keys that SECRET_KEY lacks: ${missing.join(', ')}`,
    };
  }
  const older = rows.filter(({ key }) => key !== secretKeys?.[0]?.id);
  if (older.length > 0) {
    return {
      subject: 'secrets',
      level: 'warning',
      detail: `older keys still seal secrets (${older.map(({ key, count }) => `${key}: ${count}`).join(', ')}): run "admin keys rotate"`,
    };
  }
  return { subject: 'secrets', level: 'ok', detail: 'all are sealed with the newest key' };
}

async function examinePostgresQueue(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('bullmq.job') is not null as found`,
  );
  return rows[0]?.found
    ? { subject: 'queue', level: 'ok', detail: 'BullMQ on PostgreSQL' }
    : {
        subject: 'queue',
        level: 'error',
        detail: 'the queue has no tables: run "npm run migrate"',
      };
}

async function examineRedis(url: string): Promise<Finding> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: answerWithinMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const version = /redis_version:(\S+)/.exec(await redis.info('server'))?.[1] ?? '?';
    const setting = async (name: string) =>
      ((await redis.config('GET', name)) as string[])[1] ?? 'unknown';
    const policy = await setting('maxmemory-policy').catch(() => 'unknown');
    if (policy !== 'noeviction' && policy !== 'unknown') {
      return {
        subject: 'queue',
        level: 'error',
        detail: `Redis ${version} evicts keys (maxmemory-policy ${policy}): set it to noeviction`,
      };
    }
    const persists =
      (await setting('appendonly').catch(() => 'unknown')) !== 'no' ||
      (await setting('save').catch(() => 'unknown')) !== '';
    return persists
      ? { subject: 'queue', level: 'ok', detail: `Redis ${version}, ${policy}` }
      : {
          subject: 'queue',
          level: 'warning',
          detail: `Redis ${version} keeps nothing on disk: after its restart deliveries wait for the sweep (about a second), none is lost`,
        };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      subject: 'queue',
      level: 'error',
      detail: `Redis does not answer (${reason}); deliveries go on by the sweep`,
    };
  } finally {
    redis.disconnect();
  }
}
