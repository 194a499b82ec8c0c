import type { ServiceConfig } from '../../src/config/config.js';
import {
  apiServerSettings,
  pooledServerSettings,
  commonServerSettings,
  type ServerSettings,
  withServerSettings,
} from '../../src/database/address.js';
import { DatabaseClient } from '../../src/database/connection.js';
import { engineServerSettings } from '../../src/domain/delivery/claim.js';
import { queueServerSettings } from '../../src/queue/postgres.js';
import { type Finding, ok, problem } from './finding.js';

const timeoutMs = 3_000;

/** Each kind of connection with the server settings that it adds to the common ones. */
const kinds = {
  API: apiServerSettings,
  worker: engineServerSettings,
  queue: queueServerSettings,
} as const satisfies Record<string, ServerSettings>;

/**
 * Opens one connection of each kind and compares its server settings with the requested ones, because
 * a pooler may drop start-up options. Returns no finding if all match.
 */
export async function checkServerSettings(
  config: ServiceConfig,
  signal: AbortSignal,
): Promise<Finding[]> {
  const wanted = Object.entries(kinds).filter(
    ([kind]) => kind !== 'queue' || config.redisUrl === undefined,
  );
  const problems: string[] = [];

  for (const [kind, settings] of wanted) {
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
export async function checkPooler(poolerUrl: string, signal: AbortSignal): Promise<Finding> {
  const missing = await missingSettings(poolerUrl, pooledServerSettings, signal);
  if (missing.length === 0)
    return ok('connections', 'connections of DATABASE_POOLER_URL have the settings of the API');
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

  const shown = new Map(rows.map(({ name, setting }) => [name, setting]));
  return expected
    .filter(([name, value]) => shown.get(name) !== value)
    .map(([name, value]) => `${name}=${value}`);
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
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
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
