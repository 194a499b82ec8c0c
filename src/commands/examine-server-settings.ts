import pg = require('pg');
import type { ServiceConfig } from '../config.js';
import { apiServerSettings } from '../database/api-server-settings.js';
import {
  commonServerSettings,
  type ServerSettings,
  withServerSettings,
} from '../database/with-server-settings.js';
import { engineServerSettings } from '../domain/delivery/claim.js';
import { queueServerSettings } from '../queue/queue-pool.js';
import type { Finding } from './finding.js';

const answerWithinMs = 3_000;

/** Each kind of connection and what it asks for beside the common settings. */
const kinds = {
  API: apiServerSettings,
  worker: engineServerSettings,
  queue: queueServerSettings,
} as const satisfies Record<string, ServerSettings>;

/**
 * Opens one connection of each kind and compares the settings that it got with those it asked for: a pooler
 * may drop start-up options. Finds nothing where all is well.
 */
export async function examineServerSettings(config: ServiceConfig): Promise<Finding[]> {
  const wanted = Object.entries(kinds).filter(
    ([kind]) => kind !== 'queue' || config.redisUrl === undefined,
  );
  const lacking: string[] = [];
  for (const [kind, settings] of wanted) {
    const missing = await missingOf(config.databaseUrl, settings);
    if (missing.length > 0) lacking.push(`connections of the ${kind} lack ${missing.join(', ')}`);
  }
  if (lacking.length === 0) return [];
  const detail = `${lacking.join('; ')}: a pooler drops start-up options, so plans are slow and the queue does not find its tables. Point DATABASE_URL at PostgreSQL itself`;
  return [{ subject: 'connections', level: 'error', detail }];
}

/** As in `jit=off`. Those of TCP are left out: a socket file has none, and not every system knows them. */
async function missingOf(databaseUrl: string, settings: ServerSettings): Promise<string[]> {
  const expected = Object.entries({ ...commonServerSettings, ...settings }).filter(
    ([name]) => !name.startsWith('tcp_'),
  );
  const client = new pg.Client({
    connectionString: withServerSettings(databaseUrl, settings),
    application_name: 'signalpost-doctor',
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [expected.map(([name]) => name)],
    );
    const shown = new Map(rows.map(({ name, setting }) => [name, setting]));
    return expected
      .filter(([name, value]) => shown.get(name) !== value)
      .map(([name, value]) => `${name}=${value}`);
  } finally {
    await client.end();
  }
}
